import { setTimeout as delay } from 'node:timers/promises'
import { type Environment, environment, loadConfig } from '../../config.ts'
import { isTurnstepError } from '../../core/errors.ts'
import type { AgentSummary } from '../../gateway/gateway-deps.ts'
import { openGateway, summaryOf } from '../gateway/open-gateway.ts'
import { exitOnInterrupt, onInterrupt } from '../interrupts.ts'
import type { CommonOptions } from '../options.ts'
import { printLine } from '../output/json-lines.ts'
import { type Attached, attach, findWorker } from '../stack/attach.ts'

/** How long Temporal may take to come up beside this process, in a composition of containers say. */
const PATIENCE_MS = 120_000
const RETRY_MS = 1_000

/**
 * `turnstep serve`: answers HTTP for what runs, until SIGTERM or SIGINT; then streams end and requests under way
 * finish. Logs to standard error.
 */
export async function serve(options: Pick<CommonOptions, 'json'>): Promise<number> {
  const settings = environment()
  const write = (line: string): void => void process.stderr.write(`${line}\n`)
  const ignore = exitOnInterrupt()
  const attached = await attachPatiently(settings, write)
  try {
    const agents = await knownAgents(settings)
    const gateway = await openGateway({
      settings,
      client: attached.client,
      keys: attached.store,
      uiUrl: attached.uiUrl,
      agents: () => agents,
      log: write,
    })
    ignore()
    const stopped = new Promise<void>((resolve) =>
      onInterrupt((_, count) => (count > 1 ? process.exit(1) : resolve())),
    )
    const { url, consoleUrl } = gateway
    if (options.json === true) printLine({ ready: true, url, consoleUrl, pid: process.pid })
    else write(`Serving ${consoleUrl}`)
    await stopped
    write('Stopping.')
    await gateway.close()
    return 0
  } finally {
    ignore()
    await attached.close()
  }
}

/** Those of the configuration file; without one, what the worker of this machine says it has. */
async function knownAgents(settings: Environment): Promise<readonly AgentSummary[]> {
  const config = await loadConfig()
  return config?.agents.map(summaryOf) ?? findWorker(settings)?.agents.map(({ name }) => ({ name })) ?? []
}

/** A configured server may come up later than this process. */
async function attachPatiently(settings: Environment, note: (line: string) => void): Promise<Attached> {
  const deadline = performance.now() + PATIENCE_MS
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await attach(settings)
    } catch (error) {
      const isAway = isTurnstepError(error) && error.code === 'temporal-unavailable'
      if (!isAway || settings.temporal.address === undefined || performance.now() > deadline) throw error
      if (isFirst) note(`${error.message} Trying again …`)
      await delay(RETRY_MS)
    }
  }
}
