/**
 * What every command reads from its command line and from the surroundings.
 */
import { text as readAll } from 'node:stream/consumers'
import { type Environment, environment } from '../config.ts'
import { TurnstepError } from '../core/errors.ts'
import { isId } from '../core/ids.ts'

export interface CommonOptions {
  /** Session id; `main` unless `--session` says otherwise. */
  readonly session: string
  /** Machine-readable output. */
  readonly json?: true
}

/** Checks what all commands share. Fails with `invalid-input` or `invalid-config`. */
export function readSettings({ session }: Pick<CommonOptions, 'session'>): Environment {
  if (isId(session)) return environment()
  throw new TurnstepError(
    'invalid-input',
    `--session ${JSON.stringify(session)} is no session id: use 1 to 128 characters out of A-Z a-z 0-9 _ . -`,
  )
}

/** The message that a command was given: its words, or with `-` all of standard input. Fails with `invalid-input`. */
export async function readMessage(words: readonly string[]): Promise<string> {
  const given = words.join(' ')
  const message = given === '-' ? (await readAll(process.stdin)).trimEnd() : given
  if (message.trim() !== '') return message
  throw new TurnstepError('invalid-input', 'The message is empty.')
}
