import { readMessage, readSettings } from '../options.ts'
import { printLine } from '../output/json-lines.ts'
import { attach } from '../stack/attach.ts'
import type { SendOptions } from './send.ts'

export interface SteerOptions extends SendOptions {
  /** Only for this Turn; when another one runs, the message becomes a followup. */
  readonly turn?: string
}

/** `turnstep steer TEXT`: a message into the running Turn, or one that opens a Turn. Prints the input's id. */
export async function steer(words: readonly string[], options: SteerOptions): Promise<number> {
  const text = await readMessage(words)
  const attached = await attach(readSettings(options))
  try {
    const { id, turn } = options
    const sent = await attached.client.session(options.session).steer(text, {
      ...(id === undefined ? {} : { id }),
      ...(turn === undefined ? {} : { expectedTurnId: turn }),
    })
    if (options.json === true) printLine(sent)
    else process.stdout.write(`${sent.inputId}\n`)
    return 0
  } finally {
    await attached.close()
  }
}
