/**
 * Where a Session's log stands: a fold over its events that says what may be appended next.
 *
 * Owns the fence: what belongs to a Turn or Step is appended only while that Turn and Step are open, so
 * that an attempt which was asleep cannot write after the end. The store keeps the head beside the log and
 * advances it in the transaction that appends. Exempt, because they may come at any time: `input/*` and a
 * late `attempt/lost`.
 */
import { assertNever } from './errors.ts'
import type { EventBody } from './event.ts'

export interface OpenTurn {
  readonly turnId: string
  readonly turn: number
  readonly agent: string
  readonly agentDigest: string
  /** The run that executes it now. */
  readonly runId: string
  readonly firstExecutionRunId: string
  /** The last Step that started, 0 before the first. */
  readonly step: number
  readonly isStepOpen: boolean
}

export interface LogHead {
  /** `seq` of the last event, 0 when the log is empty. */
  readonly seq: number
  /** Ordinal of the last Turn, 0 when there was none. */
  readonly turns: number
  readonly open?: OpenTurn
}

export const EMPTY_HEAD: LogHead = { seq: 0, turns: 0 }

/** Why an event may not be appended: its Turn or its Step is not the open one. */
export type Refusal = 'turn-closed' | 'turn-open' | 'step-closed'

export type Advance =
  | { readonly kind: 'advanced'; readonly head: LogHead }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

function refused(refusal: Refusal): Advance {
  return { kind: 'refused', refusal }
}

/** The head after one more event, or why that event may not be appended. */
export function advanceHead(head: LogHead, event: EventBody): Advance {
  const seq = head.seq + 1
  const { open } = head
  const withTurn = (turn: OpenTurn): Advance => ({
    kind: 'advanced',
    head: { seq, turns: head.turns, open: turn },
  })
  const unchanged: Advance = { kind: 'advanced', head: { ...head, seq } }

  switch (event.type) {
    case 'input/withdrawn':
    case 'input/refused':
    case 'attempt/lost':
      return unchanged
    case 'turn/start': {
      if (open !== undefined) return refused('turn-open')
      const { turnId, turn, agent, agentDigest, runId, firstExecutionRunId } = event
      return {
        kind: 'advanced',
        head: {
          seq,
          turns: turn,
          open: { turnId, turn, agent, agentDigest, runId, firstExecutionRunId, step: 0, isStepOpen: false },
        },
      }
    }
    case 'turn/continued':
      if (open?.turnId !== event.turnId) return refused('turn-closed')
      return withTurn({ ...open, runId: event.runId, firstExecutionRunId: event.firstExecutionRunId })
    case 'turn/end':
      if (open?.turnId !== event.turnId || open.isStepOpen) return refused('turn-closed')
      return { kind: 'advanced', head: { seq, turns: head.turns } }
    case 'user/message':
      if (open?.turnId !== event.turnId) return refused('turn-closed')
      if (event.step === undefined ? open.step > 0 : !isOpenStep(open, event.step))
        return refused('step-closed')
      return unchanged
    case 'step/start':
      if (open?.turnId !== event.turnId) return refused('turn-closed')
      if (open.isStepOpen || event.step !== open.step + 1) return refused('step-closed')
      return withTurn({ ...open, step: event.step, isStepOpen: true })
    case 'step/end':
      if (open?.turnId !== event.turnId) return refused('turn-closed')
      if (!isOpenStep(open, event.step)) return refused('step-closed')
      return withTurn({ ...open, isStepOpen: false })
    case 'assistant/message':
    case 'tool/call':
    case 'tool/result':
      if (open?.turnId !== event.turnId) return refused('turn-closed')
      if (!isOpenStep(open, event.step)) return refused('step-closed')
      return unchanged
    default:
      return assertNever(event, 'advanceHead')
  }
}

function isOpenStep(open: OpenTurn, step: number): boolean {
  return open.isStepOpen && open.step === step
}
