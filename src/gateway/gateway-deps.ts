/**
 * What the gateway's routes are made of. A set of routes is a function of these, mounted by `createGateway`.
 */
import type { HttpBindings } from '@hono/node-server'
import type { Hono } from 'hono'
import type { Turnstep } from '../client/index.ts'
import type { AgentLimits } from '../core/agent.ts'
import type { Authenticate, Principal } from './auth/principal.ts'
import type { GatewayLimits } from './gateway-limits.ts'
import type { Metrics } from './metrics.ts'
import type { Tails } from './streams/tails.ts'

/** An agent, as far as it is known here. */
export interface AgentSummary {
  readonly name: string
  readonly model?: string
  /** Its tools' names, where they are known. */
  readonly tools?: readonly string[]
  /** What its Turns may spend. */
  readonly limits?: Pick<AgentLimits, 'maxSteps' | 'maxDurationMs' | 'maxTokens' | 'maxCostMicroUsd'>
}

export interface GatewayDeps {
  /** The client of a tenant: that of the request's principal and no other. */
  turnstep(tenant: string): Turnstep
  readonly authenticate: Authenticate
  /** The agents that are known here; the first is the default one. */
  agents(): readonly AgentSummary[]
  /** What follows Sessions for all readers. */
  readonly tails: Tails
  readonly limits: GatewayLimits
  /** Whether an input may have this workflow signalled: Temporal itself asks nobody. */
  mayNotify(workflowId: string): boolean
  readonly metrics: Metrics
  /** Fires when the gateway goes: streams end, waits answer with what there is. */
  readonly closing: AbortSignal
}

/** Set on a context once `requires` has let the request pass. */
export interface GatewayEnv {
  Bindings: Partial<HttpBindings>
  Variables: { principal: Principal }
}

/** A set of routes with absolute paths, `/v1/…`. Each names its scope with `requires(deps, scope)`. */
export type GatewayRoutes = (deps: GatewayDeps) => Hono<GatewayEnv>
