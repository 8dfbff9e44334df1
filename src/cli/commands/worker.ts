import { setTimeout as delay } from 'node:timers/promises'
import { environment } from '../../config.ts'
import { isTurnstepError } from '../../core/errors.ts'
import { exitOnInterrupt, onInterrupt } from '../interrupts.ts'
import type { CommonOptions } from '../options.ts'
import { printLine } from '../output/json-lines.ts'
import { Stack } from '../stack/stack.ts'
import type { StackOptions } from '../stack/stack-options.ts'

/** How long Temporal may take to come up beside this process, in a composition of containers say. */
const PATIENCE_MS = 120_000
const RETRY_MS = 1_000

/**
 * `turnstep worker`: runs the Turns of this data folder until SIGTERM or SIGINT, then lets those under way finish
 * within the worker's grace; what is still open goes on with the next one. Logs to standard error.
 */
export async function worker(options: Pick<CommonOptions, 'json'>): Promise<number> {
  const settings = environment()
  const write = (line: string): void => void process.stderr.write(`${line}\n`)
  const ignore = exitOnInterrupt()
  const stack = await openPatiently({ settings, folder: process.cwd(), note: write, log: write })
  ignore()
  const stopped = new Promise<void>((resolve) =>
    onInterrupt((_, count) => (count > 1 ? process.exit(1) : resolve())),
  )
  try {
    const { taskQueue } = settings
    const role = stack.hasWorker ? 'worker' : 'standby'
    if (options.json === true) printLine({ ready: true, role, pid: process.pid, taskQueue })
    else if (stack.hasWorker) write(`Ready, on task queue ${taskQueue}.`)
    else write('Standing by: another process runs the worker, and this one goes on when that ends.')
    await Promise.race([stopped, stack.failure])
    write('Stopping.')
    return 0
  } finally {
    await stack.close()
  }
}

/** A configured server may come up later than this process. */
async function openPatiently(options: StackOptions): Promise<Stack> {
  const deadline = performance.now() + PATIENCE_MS
  let note = options.note
  for (;;) {
    try {
      return await Stack.open({ ...options, note: (line) => note(line) })
    } catch (error) {
      const isAway = isTurnstepError(error) && error.code === 'temporal-unavailable'
      if (!isAway || options.settings.temporal.address === undefined || performance.now() > deadline)
        throw error
      options.note(`${error.message} Trying again …`)
      note = () => undefined
      await delay(RETRY_MS)
    }
  }
}
