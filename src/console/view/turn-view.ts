/**
 * One Turn as a timeline: what opened it, its Steps, and how it ended. A pure projection of the Turn's events; what a
 * later version writes and this one does not know is left out.
 */
import type { Event, EventOf } from '../../core/event.ts'
import { costOfTurn } from '../../core/turn-cost.ts'
import { INITIAL_STATE, stateAfter, type Waited, waitedOf } from '../../core/turn-state.ts'
import type { TurnPhase } from '../../core/wire.ts'
import { type InputView, inputViewOf } from './input-view.ts'
import type { TurnLog } from './session-log.ts'
import { type StepView, stepViewOf } from './step-view.ts'

export interface TurnView {
  readonly turnId: string
  readonly turn: number
  readonly agent: string
  readonly phase: TurnPhase
  readonly startedAt: string
  /** Of the run that executes it, for Temporal's UI. */
  readonly runId: string
  readonly opening: readonly InputView[]
  readonly steps: readonly StepView[]
  /** Withdrawn or refused while it ran. */
  readonly unclaimed: readonly InputView[]
  /** Set once it is over. */
  readonly end?: EventOf<'turn/end'>
  /** For humans and clients, whose time is not the Turn's. */
  readonly waited: Waited
  /** Tokens in and out so far, attempts that were lost included. */
  readonly tokens: number
}

export function turnViewOf({ turnId, turn, events }: TurnLog): TurnView {
  const start = events.find((event): event is EventOf<'turn/start'> => event.type === 'turn/start')
  const end = events.find((event): event is EventOf<'turn/end'> => event.type === 'turn/end')
  const cost = costOfTurn(events, turnId)
  const steps = new Map<number, Event[]>()
  for (const event of events) {
    if (!('step' in event) || event.step === undefined) continue
    const own = steps.get(event.step)
    if (own === undefined) steps.set(event.step, [event])
    else own.push(event)
  }
  return {
    turnId,
    turn,
    agent: start?.agent ?? '',
    phase: events.reduce(stateAfter, INITIAL_STATE).phase,
    startedAt: events[0]?.at ?? '',
    runId: events.findLast((event) => 'runId' in event)?.runId ?? '',
    opening: events.flatMap((event) =>
      event.type === 'user/message' && event.step === undefined ? [inputViewOf(event, events)] : [],
    ),
    steps: [...steps].map(([step, own]) =>
      stepViewOf(step, own, { usage: cost.steps.find((one) => one.step === step)?.usage, turn: events }),
    ),
    unclaimed: events.flatMap((event) =>
      event.type === 'input/withdrawn' || event.type === 'input/refused' ? [inputViewOf(event, events)] : [],
    ),
    ...(end === undefined ? {} : { end }),
    waited: waitedOf(events),
    tokens: cost.usage.inputTokens + cost.usage.outputTokens,
  }
}
