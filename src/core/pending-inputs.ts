/**
 * Inputs that wait for their judgement, and what a projection shows of them once they have it.
 */
import type { Event, EventOf, GuardrailJudged } from './event.ts'
import type { Content } from './message.ts'

/** Stands for an input that a guardrail blocked. */
export const BLOCKED_NOTICE = '[A message of the user was blocked by a guardrail and is not shown.]'

/** Stands for an input whose Turn ended before it was judged. */
export const UNJUDGED_NOTICE = '[A message of the user was not judged by the guardrails and is not shown.]'

/** The inputs of a Turn that are to be judged and are not, in order of their claims. */
export function unjudgedInputs(events: readonly Event[]): readonly EventOf<'user/message'>[] {
  const judged = new Set(
    events.flatMap((event) => (event.type === 'guardrail/judged' && event.inputId ? [event.inputId] : [])),
  )
  return events.filter(
    (event): event is EventOf<'user/message'> =>
      event.type === 'user/message' && event.judged === 'pending' && !judged.has(event.inputId),
  )
}

/** What a model may see of an input by its judgement. */
export function judgedContent(content: Content, judged: GuardrailJudged): Content {
  if (judged.verdict === 'pass') return content
  return judged.verdict === 'rewrite' ? (judged.content ?? BLOCKED_NOTICE) : BLOCKED_NOTICE
}

/** Tells the model why it is asked again. It is not shown what it said. */
export function objectionNotice(reason: string): string {
  return `[Notice from the system: your last answer was withheld by a check, and nobody has seen it. Objection: ${reason} Answer again so that the objection does not hold.]`
}
