/**
 * A Turn as those who watch it want to know it: how it stands or ended, what each Step took in time and money.
 */
import type { Price } from './cost.ts'
import type { Event, EventOf } from './event.ts'
import { costOfTurn, type StepCost } from './turn-cost.ts'
import { turnOutcome } from './turn-outcome.ts'
import { INITIAL_STATE, stateAfter } from './turn-state.ts'
import { NO_USAGE } from './usage.ts'
import type { TurnOutcome, TurnPhase } from './wire.ts'

/** A span of time; without `endedAt` and `durationMs` it has not ended. Times are ISO 8601. */
export interface Span {
  readonly startedAt: string
  readonly endedAt?: string
  readonly durationMs?: number
}

export interface StepReport extends StepCost, Span {}

/** `usage` and `cost` are what it has spent so far; how it ended is there once it has. */
export interface TurnReport extends Span, Omit<TurnOutcome, 'reason' | 'steps' | 'inputs'> {
  readonly state: 'open' | 'ended'
  readonly phase: TurnPhase
  readonly reason?: TurnOutcome['reason']
  /** Fates of its inputs, once it has ended. */
  readonly inputs?: TurnOutcome['inputs']
  readonly steps: readonly StepReport[]
}

/** Reports a Turn from its events; undefined when they have no start of it. */
export function reportTurn(events: readonly Event[], turnId: string, price?: Price): TurnReport | undefined {
  const own = events.filter((event) => event.turnId === turnId)
  const start = own.find((event): event is EventOf<'turn/start'> => event.type === 'turn/start')
  if (start === undefined) return undefined
  const end = own.find((event) => event.type === 'turn/end')
  const { steps: costs, usage, cost } = costOfTurn(own, turnId, price)
  const { phase } = own.reduce(stateAfter, INITIAL_STATE)
  const { steps: _, ...outcome } = turnOutcome(own, turnId) ?? { steps: 0, text: '', usage, cost }
  const steps = own.flatMap((event) => (event.type === 'step/start' ? [event] : []))
  return {
    turnId,
    turn: start.turn,
    state: end === undefined ? 'open' : 'ended',
    phase,
    ...span(start, end),
    ...outcome,
    steps: steps.map((step) => ({
      ...(costs.find((one) => one.step === step.step) ?? noCost(step.step, price)),
      ...span(
        step,
        own.find((event) => event.type === 'step/end' && event.step === step.step),
      ),
    })),
  }
}

function noCost(step: number, price: Price | undefined): StepCost {
  return { step, usage: NO_USAGE, cost: price === undefined ? null : 0, attemptsLost: 0, coverage: 1 }
}

function span(start: Event, end: Event | undefined): Span {
  if (end === undefined) return { startedAt: start.at }
  const durationMs = Date.parse(end.at) - Date.parse(start.at)
  return { startedAt: start.at, endedAt: end.at, durationMs }
}
