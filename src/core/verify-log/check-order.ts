import type { Event, EventOf } from '../event.ts'
import { foldState, INITIAL_STATE, stateAfter } from '../turn-state.ts'
import type { CheckFactory, Report } from './check.ts'

/** Where in its Turn the log stands. */
interface Open {
  readonly turnId: string
  readonly turn: number
  /** The last Step that started, 0 before the first. */
  readonly step: number
  /** `opening`: inputs of the opening may follow. `claiming`: in a Step without message. `calling`: behind it. */
  readonly place: 'opening' | 'between' | 'claiming' | 'calling'
}

type TurnEvent = Exclude<Event, { type: 'input/withdrawn' | 'input/refused' | 'attempt/lost' | 'turn/start' }>

/** The grammar of section 3: one Turn at a time, Steps within it, and what may stand where. */
export const checkOrder: CheckFactory = (report) => {
  const lastSteps = new Map<string, number>()
  let open: Open | undefined
  let turns = 0

  const start = (event: EventOf<'turn/start'>): void => {
    if (open !== undefined) report('one-open-turn', `turn ${open.turnId} is still open`, event)
    if (event.turn !== turns + 1) report('turn-ordinal', `turn ${event.turn} follows turn ${turns}`, event)
    turns = event.turn
    open = { turnId: event.turnId, turn: event.turn, step: 0, place: 'opening' }
    lastSteps.set(event.turnId, 0)
  }

  const go = (event: TurnEvent): void => {
    if (open?.turnId !== event.turnId) {
      report('turn-grammar', `${event.type} belongs to turn ${event.turnId}, which is not open`, event)
      return
    }
    if (event.turn !== open.turn) report('turn-ordinal', `turn ${event.turn} instead of ${open.turn}`, event)
    open = advance(open, event, report)
    if (open !== undefined) lastSteps.set(open.turnId, open.step)
  }

  return {
    visit(event) {
      if (event.type === 'turn/start') start(event)
      else if (event.type === 'attempt/lost') checkAttempt(lastSteps, event, report)
      else if (event.type === 'input/withdrawn' || event.type === 'input/refused') checkLoose(event, report)
      else go(event)
    },
    settle() {
      if (open !== undefined) report('settled', `turn ${open.turnId} has not ended`)
    },
  }
}

/** Every move of the phase is one that the table has. */
export const checkPhases: CheckFactory = (report) => {
  let state = INITIAL_STATE
  return {
    visit(event) {
      try {
        state = foldState(state, event)
      } catch (error) {
        report('phase', String(error), event)
        state = stateAfter(state, event)
      }
    },
  }
}

function advance(open: Open, event: TurnEvent, report: Report): Open | undefined {
  const { place } = open
  const isBetween = place === 'opening' || place === 'between'
  const expect = (isAllowed: boolean): void => {
    if (!isAllowed) report('turn-grammar', `${event.type} does not belong here (${place})`, event)
  }
  const expectStep = (step: number): void => {
    if (step !== open.step) report('step-ordinal', `step ${step} instead of ${open.step}`, event)
  }
  switch (event.type) {
    case 'user/message':
      expect(place === (event.step === undefined ? 'opening' : 'claiming'))
      if (event.step !== undefined) expectStep(event.step)
      return open
    case 'turn/continued':
      return place === 'opening' ? { ...open, place: 'between' } : open
    case 'step/start':
      expect(isBetween)
      if (event.step !== open.step + 1)
        report('step-ordinal', `step ${event.step} follows ${open.step}`, event)
      return { ...open, step: event.step, place: 'claiming' }
    case 'assistant/message':
      expect(place === 'claiming')
      expectStep(event.step)
      return { ...open, place: 'calling' }
    case 'assistant/draft':
    case 'guardrail/held':
      expect(place === 'claiming')
      expectStep(event.step)
      return open
    case 'tool/call':
    case 'tool/result':
    case 'approval/requested':
    case 'approval/decided':
    case 'audit/recorded':
    case 'context/replanned':
      expect(place === 'calling')
      expectStep(event.step)
      return open
    case 'guardrail/judged':
      if (event.step !== undefined) expectStep(event.step)
      return open
    case 'step/end':
      expect(!isBetween)
      expectStep(event.step)
      return { ...open, place: 'between' }
    case 'turn/end':
      expect(isBetween)
      return undefined
  }
}

/** A lost attempt may be noted late, after its Step and its Turn, but not before its Step. */
function checkAttempt(
  lastSteps: ReadonlyMap<string, number>,
  event: EventOf<'attempt/lost'>,
  report: Report,
): void {
  const lastStep = lastSteps.get(event.turnId) ?? 0
  if (event.step < 1 || event.step > lastStep) {
    report('attempt-lost', `step ${event.step} of turn ${event.turnId} has not started`, event)
  }
  if (!Number.isInteger(event.attempt) || event.attempt < 1) {
    report('attempt-lost', `attempts count from 1, not ${event.attempt}`, event)
  }
}

function checkLoose(event: EventOf<'input/withdrawn' | 'input/refused'>, report: Report): void {
  if ((event.turnId === null) !== (event.turn === null)) {
    report('turn-grammar', `${event.type} names half a turn`, event)
  }
}
