import { type CommonOptions, readMessage, readSettings } from '../options.ts'
import { printLine } from '../output/json-lines.ts'
import { attach } from '../stack/attach.ts'

export interface SendOptions extends CommonOptions {
  /** Of the input; sending the same id again changes nothing. */
  readonly id?: string
}

/** `turnstep send TEXT`: a followup to what runs. Prints the input's id and does not wait for its Turn. */
export async function send(words: readonly string[], options: SendOptions): Promise<number> {
  const text = await readMessage(words)
  const attached = await attach(readSettings(options))
  try {
    const session = attached.client.session(options.session)
    const sent = await session.followup(text, options.id === undefined ? {} : { id: options.id })
    if (options.json === true) printLine(sent)
    else process.stdout.write(`${sent.inputId}\n`)
    return 0
  } finally {
    await attached.close()
  }
}
