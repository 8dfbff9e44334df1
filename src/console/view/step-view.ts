/**
 * One Step of a Turn: what joined it, what the model said, its calls with their receipts, and what else happened.
 */
import type { Event, EventOf } from '../../core/event.ts'
import { NO_USAGE, type Usage } from '../../core/usage.ts'
import { type CallView, callViewOf } from './call-view.ts'
import { type InputView, inputViewOf } from './input-view.ts'

/** Something worth a line of its own. */
export interface Note {
  readonly at: string
  readonly text: string
  readonly tone: 'plain' | 'warning'
}

export interface StepView {
  readonly step: number
  readonly startedAt: string
  readonly endedAt?: string
  /** Inputs that joined the Turn here. */
  readonly steers: readonly InputView[]
  readonly message?: EventOf<'assistant/message'>
  readonly calls: readonly CallView[]
  readonly notes: readonly Note[]
  /** Of its model calls, attempts that were lost included. */
  readonly usage: Usage
}

export function stepViewOf(
  step: number,
  events: readonly Event[],
  more: { readonly usage?: Usage | undefined; readonly turn?: readonly Event[] } = {},
): StepView {
  const message = events.find(
    (event): event is EventOf<'assistant/message'> => event.type === 'assistant/message',
  )
  const end = events.find((event) => event.type === 'step/end')
  return {
    step,
    startedAt: events[0]?.at ?? '',
    ...(end === undefined ? {} : { endedAt: end.at }),
    steers: events.flatMap((event) =>
      event.type === 'user/message' ? [inputViewOf(event, more.turn ?? events)] : [],
    ),
    ...(message === undefined ? {} : { message }),
    calls: (message?.calls ?? []).map((call) => callViewOf(call, events)),
    notes: events.flatMap((event) => {
      const note = noteOf(event)
      return note === undefined ? [] : [{ at: event.at, ...note }]
    }),
    usage: more.usage ?? NO_USAGE,
  }
}

const LOST: Readonly<Record<EventOf<'attempt/lost'>['cause'], string>> = {
  'worker-lost': 'its worker was lost',
  'worker-shutdown': 'its worker was shut down',
  'provider-failed': 'the provider failed',
  superseded: 'another attempt took its place',
  empty: 'the answer was empty',
  aborted: 'it was stopped',
  rejected: 'a check objected to it',
}

/** What a human did to an answer that was held. */
const DECIDED = { rewrite: 'changed', block: 'denied', object: 'sent back' } as const

function noteOf(event: Event): Omit<Note, 'at'> | undefined {
  switch (event.type) {
    case 'attempt/lost':
      return { tone: 'warning', text: `Model attempt ${event.attempt} was lost: ${LOST[event.cause]}.` }
    case 'guardrail/judged': {
      if (event.stage !== 'output' || event.verdict === 'pass') return undefined
      const why = event.reason === undefined ? '' : `: ${event.reason}`
      const held = event.guardrail === undefined ? '' : ` that ${event.guardrail} held`
      if (event.by !== undefined)
        return { tone: 'warning', text: `${event.by} ${DECIDED[event.verdict]} the answer${held}${why}` }
      const by = event.guardrail === undefined ? 'A guardrail' : `Guardrail ${event.guardrail}`
      return { tone: 'warning', text: `${by} said ${event.verdict} to the answer${why}` }
    }
    case 'guardrail/held':
      return {
        tone: 'plain',
        text: `Guardrail ${event.guardrail} held the answer for a human: ${event.reason}`,
      }
    case 'context/replanned': {
      const note = event.note === undefined || event.note.trim() === '' ? '' : ` Note: ${event.note}`
      return { tone: 'plain', text: `A new plan was asked for; the tool history left the context.${note}` }
    }
    case 'turn/continued':
      return { tone: 'plain', text: 'The Turn went on in another run.' }
    default:
      return undefined
  }
}
