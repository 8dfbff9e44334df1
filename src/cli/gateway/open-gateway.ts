/**
 * The gateway of a data folder: composition root of routes, authentication and the console.
 */
import { fileURLToPath } from 'node:url'
import { redactForLog } from '../../activities/redact-for-log.ts'
import type { Turnstep } from '../../client/index.ts'
import type { Environment } from '../../config.ts'
import type { ApiKeyStore } from '../../core/access.ts'
import type { Agent } from '../../core/agent.ts'
import { defined } from '../../core/defined.ts'
import { readConsoleFiles } from '../../gateway/console-files.ts'
import { createGateway } from '../../gateway/create-gateway.ts'
import type { AgentSummary } from '../../gateway/gateway-deps.ts'
import { isPortTaken, type ServedGateway, serveGateway } from '../../gateway/serve-gateway.ts'
import { packageVersion } from '../package-version.ts'
import { authenticationOf } from './authentication.ts'

export interface OpenGatewayOptions {
  readonly settings: Environment
  readonly client: Turnstep
  readonly keys: ApiKeyStore
  /** Temporal's web page, unless the settings name one. */
  readonly uiUrl: string | undefined
  readonly agents: () => readonly AgentSummary[]
  /** Gets lines on trouble that no client can do anything about. */
  readonly log: (line: string) => void
  /** How many ports after the configured one may be tried when that is taken. Default 0. */
  readonly furtherPorts?: number
}

/** Built with the package. */
const CONSOLE = fileURLToPath(new URL('../../../dist/console', import.meta.url))

export interface OpenedGateway extends ServedGateway {
  /** What opens the console: in local mode it has this start's token. */
  readonly consoleUrl: string
}

/** Serves the gateway. Fails with `invalid-config` when no port is to be had, or who may use it is not settled. */
export async function openGateway(options: OpenGatewayOptions): Promise<OpenedGateway> {
  const { settings, client, keys, agents, log, furtherPorts = 0 } = options
  const { host, port, temporal, taskQueue, temporalUiUrl = options.uiUrl } = settings
  const { corsOrigins, limits } = settings.gateway
  const version = packageVersion()
  const files = await readConsoleFiles(CONSOLE)
  const about = { namespace: temporal.namespace, taskQueue, version }
  const { authenticate, consoleToken } = authenticationOf(settings, keys)
  const gateway = createGateway({
    turnstep: (tenant) => client.forTenant(tenant),
    authenticate,
    mayNotify: (id) =>
      settings.gateway.auth.kind === 'local' ||
      settings.gateway.notifyWorkflows.some((beginning) => id.startsWith(beginning)),
    corsOrigins,
    limits,
    agents,
    version,
    report: (error) =>
      log(redactForLog(error instanceof Error ? (error.stack ?? error.message) : String(error))),
    ...(files === undefined
      ? {}
      : {
          console: {
            files,
            settings: temporalUiUrl === undefined ? about : { ...about, temporalUiUrl },
            ...(consoleToken === undefined ? {} : { token: consoleToken }),
          },
        }),
  })
  for (let tried = 0; ; tried += 1) {
    try {
      const served = await serveGateway(gateway, { host, port: port === 0 ? 0 : port + tried })
      const query = consoleToken === undefined ? '' : `/?token=${consoleToken}`
      return { ...served, consoleUrl: `${served.url}${query}` }
    } catch (error) {
      if (!isPortTaken(error) || tried >= furtherPorts || port + tried >= 65_535) throw error
    }
  }
}

/** What clients are told of an agent. */
export function summaryOf({ snapshot: { name, model, tools, limits } }: Agent): AgentSummary {
  const { maxSteps, maxDurationMs, maxTokens, maxCostMicroUsd } = limits
  return {
    name,
    model,
    tools: tools.map((tool) => tool.name),
    limits: defined({ maxSteps, maxDurationMs, maxTokens, maxCostMicroUsd }),
  }
}
