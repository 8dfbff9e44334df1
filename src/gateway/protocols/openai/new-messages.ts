/**
 * From the conversation that a caller sends with every request, what is new to a Session, as one input.
 *
 * What comes before the assistant's last message is taken to be known to a Session that exists. A new Session is told
 * of it in the first message, quoted, because a log has only what happened in it.
 */
import { TurnstepError } from '../../../core/errors.ts'
import { type Content, type ContentPart, textOf } from '../../../core/message.ts'

/** A message of the caller's, whichever of the two interfaces it came through. */
export interface CallerMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: readonly ContentPart[]
}

/** Fails with `invalid-input` when nothing is new. */
export function newContent(messages: readonly CallerMessage[], isNewSession: boolean): Content {
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  const before = messages.slice(0, last + 1)
  const since = messages.slice(last + 1)
  if (since.some(({ role }) => role === 'tool'))
    throw new TurnstepError('invalid-input', 'An agent runs its tools itself: it takes no results of calls.')
  if (!since.some(({ role }) => role === 'user'))
    throw new TurnstepError(
      'invalid-input',
      'There is no message of the user’s after the assistant’s last one.',
    )
  const instructions = since.filter(({ role }) => role === 'system')
  const parts = [
    ...(isNewSession && before.length > 0 ? [{ type: 'text' as const, text: quoted(before) }] : []),
    ...instructions.map(({ content }) => ({
      type: 'text' as const,
      text: `[Instructions of the caller: ${textOf(content)}]`,
    })),
    ...since.flatMap(({ role, content }) => (role === 'user' ? content : [])),
  ]
  const [first] = parts
  return parts.length === 1 && first?.type === 'text' ? first.text : parts
}

function quoted(messages: readonly CallerMessage[]): string {
  const lines = messages.map(({ role, content }) => `${role}: ${textOf(content)}`)
  return ['[The conversation so far, as the caller sent it:]', ...lines, '[What follows is new.]'].join('\n')
}
