/**
 * An input as people see it: what it says and what became of it.
 */
import type { Event, EventOf, InputOrigin, RefusalReason } from '../../core/event.ts'
import { type Content, textOf } from '../../core/message.ts'

export interface InputView {
  readonly inputId: string
  /** Empty for one that was refused: it is not kept. */
  readonly text: string
  readonly at: string
  readonly fate:
    | { readonly kind: 'claimed'; readonly via: 'followup' | 'steer'; readonly origin: InputOrigin }
    | { readonly kind: 'withdrawn' }
    | { readonly kind: 'refused'; readonly reason: RefusalReason }
  readonly author?: string
  /** What a guardrail said of it, when it did not simply pass. */
  readonly judged?: string
}

type InputEvent = EventOf<'user/message'> | EventOf<'input/withdrawn'> | EventOf<'input/refused'>

export function inputViewOf(event: InputEvent, turn: readonly Event[] = []): InputView {
  const { inputId, at } = event
  switch (event.type) {
    case 'user/message': {
      const { via, origin, author } = event
      const judged = judgementOf(inputId, turn)
      return {
        inputId,
        text: contentText(event.content),
        at,
        fate: { kind: 'claimed', via, origin },
        ...(author === undefined ? {} : { author }),
        ...(judged === undefined ? {} : { judged }),
      }
    }
    case 'input/withdrawn':
      return { inputId, text: contentText(event.content), at, fate: { kind: 'withdrawn' } }
    case 'input/refused':
      return { inputId, text: '', at, fate: { kind: 'refused', reason: event.reason } }
  }
}

/** The text of a content, with the address of whatever is not text. */
export function contentText(content: Content): string {
  if (typeof content === 'string') return content
  return content.map((part) => (part.type === 'text' ? part.text : `[${part.type}: ${part.ref}]`)).join('\n')
}

function judgementOf(inputId: string, turn: readonly Event[]): string | undefined {
  const judged = turn.find((event) => event.type === 'guardrail/judged' && event.inputId === inputId)
  if (judged?.type !== 'guardrail/judged' || judged.verdict === 'pass') return undefined
  const by = judged.guardrail === undefined ? 'a guardrail' : `guardrail ${judged.guardrail}`
  if (judged.verdict === 'rewrite')
    return `Rewritten by ${by}${judged.content === undefined ? '' : `: ${textOf(judged.content)}`}`
  return `Blocked by ${by}${judged.reason === undefined ? '' : `: ${judged.reason}`}`
}
