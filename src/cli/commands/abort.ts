import type { AbortResult } from '../../client/index.ts'
import { type CommonOptions, readSettings } from '../options.ts'
import { printLine } from '../output/json-lines.ts'
import { attach } from '../stack/attach.ts'

export interface AbortCommandOptions extends CommonOptions {
  /** The Turn, by its id or that of any input claimed in it. Default: whichever is running. */
  readonly turn?: string
  readonly queue: 'withdraw' | 'run'
  readonly mode: 'now' | 'after-step'
}

/** `turnstep abort`: stops the running Turn, waits for its end, and says what became of the inputs. */
export async function abort(options: AbortCommandOptions): Promise<number> {
  const attached = await attach(readSettings(options))
  try {
    const { turn, queue, mode } = options
    const session = attached.client.session(options.session)
    const result = await session.abort({ queue, mode, ...(turn === undefined ? {} : { turnId: turn }) })
    if (options.json === true) printLine(result)
    else process.stdout.write(describe(result))
    return 0
  } finally {
    await attached.close()
  }
}

function describe({ turnId, reason, inputs }: AbortResult): string {
  const withdrawn = inputs.filter(({ fate }) => fate === 'withdrawn').map(({ id }) => `  withdrawn: ${id}\n`)
  return `Turn ${turnId} has ended: ${reason}.\n${withdrawn.join('')}`
}
