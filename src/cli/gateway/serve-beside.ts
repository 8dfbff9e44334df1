import type { Environment } from '../../config.ts'
import { isTurnstepError } from '../../core/errors.ts'
import type { ServedGateway } from '../../gateway/serve-gateway.ts'
import { fileLog, logPathOf } from '../stack/log-file.ts'
import type { Stack } from '../stack/stack.ts'
import { openGateway, summaryOf } from './open-gateway.ts'

/** Several folders may have a `start` of their own on one machine. */
const FURTHER_PORTS = 20

/**
 * Serves the gateway of a stack and notes its link. Where the configured port is taken the next one that is free is
 * used; without any the rest goes on without a gateway, which is noted.
 */
export async function serveBeside(
  stack: Pick<Stack, 'client' | 'agents' | 'store' | 'uiUrl'>,
  settings: Environment,
  note: (line: string) => void,
): Promise<ServedGateway | undefined> {
  try {
    const gateway = await openGateway({
      settings,
      client: stack.client,
      keys: stack.store,
      uiUrl: stack.uiUrl,
      agents: () => stack.agents.map(summaryOf),
      log: fileLog(logPathOf(settings.dataDir)),
      furtherPorts: FURTHER_PORTS,
    })
    note(`HTTP and console: ${gateway.consoleUrl}`)
    return gateway
  } catch (error) {
    if (!isTurnstepError(error) || error.code !== 'invalid-config') throw error
    note(`${error.message} Going on without HTTP.`)
    return undefined
  }
}
