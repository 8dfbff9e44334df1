/**
 * Ids of completions and responses: they say which input of which Session was answered, so that nothing has to be
 * kept to find it again. Opaque to callers.
 */
import { isId } from '../../../core/ids.ts'

export interface AnswerPlace {
  readonly session: string
  readonly inputId: string
}

/** `prefix` as the protocol has it: `chatcmpl-`, `resp_`. */
export function answerIdOf(prefix: string, { session, inputId }: AnswerPlace): string {
  return `${prefix}${Buffer.from(`${session}/${inputId}`, 'utf8').toString('base64url')}`
}

/** The inverse of {@link answerIdOf}; undefined for anything that it did not make. */
export function parseAnswerId(prefix: string, id: string): AnswerPlace | undefined {
  if (!id.startsWith(prefix)) return undefined
  const place = Buffer.from(id.slice(prefix.length), 'base64url').toString('utf8')
  const [session, inputId, ...rest] = place.split('/')
  const isOurs = isId(session ?? '') && isId(inputId ?? '') && rest.length === 0
  return isOurs &&
    session !== undefined &&
    inputId !== undefined &&
    answerIdOf(prefix, { session, inputId }) === id
    ? { session, inputId }
    : undefined
}
