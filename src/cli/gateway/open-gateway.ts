/**
 * The gateway of a data folder: composition root of routes, authentication and the console.
 */
import { fileURLToPath } from 'node:url'
import type { Turnstep } from '../../client/index.ts'
import type { Environment } from '../../config.ts'
import type { Agent } from '../../core/agent.ts'
import { defined } from '../../core/defined.ts'
import { authenticateLocally } from '../../gateway/auth/local.ts'
import { readConsoleFiles } from '../../gateway/console-files.ts'
import { createGateway } from '../../gateway/create-gateway.ts'
import type { AgentSummary } from '../../gateway/gateway-deps.ts'
import { isPortTaken, type ServedGateway, serveGateway } from '../../gateway/serve-gateway.ts'
import { packageVersion } from '../package-version.ts'

export interface OpenGatewayOptions {
  readonly settings: Environment
  readonly client: Turnstep
  readonly agents: () => readonly Agent[]
  /** Gets lines on trouble that no client can do anything about. */
  readonly log: (line: string) => void
  /** How many ports after the configured one may be tried when that is taken. Default 0. */
  readonly furtherPorts?: number
}

/** Built with the package. */
const CONSOLE = fileURLToPath(new URL('../../../dist/console', import.meta.url))

/** Serves the gateway. Fails with `invalid-config` when no port is to be had. */
export async function openGateway(options: OpenGatewayOptions): Promise<ServedGateway> {
  const { settings, client, agents, log, furtherPorts = 0 } = options
  const { host, port, temporal, taskQueue, temporalUiUrl } = settings
  const version = packageVersion()
  const files = await readConsoleFiles(CONSOLE)
  const about = { namespace: temporal.namespace, taskQueue, version }
  const gateway = createGateway({
    turnstep: (tenant) => client.forTenant(tenant),
    authenticate: authenticateLocally(),
    agents: () => agents().map(summaryOf),
    version,
    report: (error) => log(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    ...(files === undefined
      ? {}
      : { console: { files, settings: temporalUiUrl === undefined ? about : { ...about, temporalUiUrl } } }),
  })
  for (let tried = 0; ; tried += 1) {
    try {
      return await serveGateway(gateway, { host, port: port === 0 ? 0 : port + tried })
    } catch (error) {
      if (!isPortTaken(error) || tried >= furtherPorts || port + tried >= 65_535) throw error
    }
  }
}

function summaryOf({ snapshot: { name, model, tools, limits } }: Agent): AgentSummary {
  const { maxSteps, maxDurationMs, maxTokens, maxCostMicroUsd } = limits
  return {
    name,
    model,
    tools: tools.map((tool) => tool.name),
    limits: defined({ maxSteps, maxDurationMs, maxTokens, maxCostMicroUsd }),
  }
}
