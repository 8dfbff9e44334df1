import type { GatewayRoutes } from '../gateway-deps.ts'
import { agUiRoutes } from './ag-ui/routes.ts'
import { aiSdkRoutes } from './ai-sdk/routes.ts'
import { durableStreamRoutes } from './durable-streams/routes.ts'
import { openAiRoutes } from './openai/routes.ts'

/** Protocols that front ends already speak, as mappings of the same log. */
export const FRONT_END_PROTOCOLS: readonly GatewayRoutes[] = [
  aiSdkRoutes,
  agUiRoutes,
  openAiRoutes,
  durableStreamRoutes,
]
