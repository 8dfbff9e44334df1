/**
 * Where a Session's log stands: a fold over its events that says what may be appended next.
 *
 * Owns the fence: what belongs to a Turn or Step is appended only while that Turn and Step are open, so
 * that an attempt which was asleep cannot write after the end. The store keeps the head beside the log and
 * advances it in the transaction that appends. Exempt, because they may come at any time: `input/*` and a
 * late `attempt/lost`.
 *
 * Beside it stands what a Session remembers across Turns for later decisions: tools that a human has approved
 * for the whole Session, whether anything from outside has come into the context, and what was spent.
 */
import { tokensOf } from './cost.ts'
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
  readonly memory?: SessionMemory
}

/** What a Session remembers across its Turns. Absent fields mean none, no and nothing. */
export interface SessionMemory {
  /** Tools that need no further approval in this Session. */
  readonly approvedTools?: readonly string[]
  /** Set once a tool result from outside is in the context. */
  readonly hasOutside?: true
  /** Tokens, in and out, of the Turns that have ended, and of attempts that were noted as lost after that. */
  readonly tokens?: number
  /** Micro-USD of the same. */
  readonly costMicroUsd?: number
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
  const withTurn = (turn: OpenTurn): Advance => ({ kind: 'advanced', head: { ...head, seq, open: turn } })
  const unchanged: Advance = { kind: 'advanced', head: { ...head, seq } }

  switch (event.type) {
    case 'input/withdrawn':
    case 'input/refused':
      return unchanged
    case 'attempt/lost':
      return { kind: 'advanced', head: { ...remember(head, event), seq } }
    case 'turn/start': {
      if (open !== undefined) return refused('turn-open')
      const { turnId, turn, agent, agentDigest, runId, firstExecutionRunId } = event
      return {
        kind: 'advanced',
        head: {
          ...head,
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
      return { kind: 'advanced', head: withoutTurn({ ...remember(head, event), seq }) }
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
    case 'guardrail/judged':
      if (open?.turnId !== event.turnId) return refused('turn-closed')
      if (event.step !== undefined && !isOpenStep(open, event.step)) return refused('step-closed')
      return unchanged
    case 'assistant/draft':
    case 'guardrail/held':
    case 'assistant/message':
    case 'tool/call':
    case 'approval/requested':
    case 'audit/recorded':
    case 'context/replanned':
    case 'tool/result':
    case 'approval/decided':
      if (open?.turnId !== event.turnId) return refused('turn-closed')
      if (!isOpenStep(open, event.step)) return refused('step-closed')
      return { kind: 'advanced', head: { ...remember(head, event), seq } }
    default:
      return assertNever(event, 'advanceHead')
  }
}

function withoutTurn({ open: _, ...head }: LogHead): LogHead {
  return head
}

function isOpenStep(open: OpenTurn, step: number): boolean {
  return open.isStepOpen && open.step === step
}

/** The head with what the event adds to the Session's memory. */
function remember(head: LogHead, event: EventBody): LogHead {
  const memory = head.memory ?? {}
  if (event.type === 'tool/result' && event.outside === true && memory.hasOutside !== true)
    return { ...head, memory: { ...memory, hasOutside: true } }
  if (event.type === 'approval/decided' && event.decision === 'approve' && event.scope === 'session') {
    const approvedTools = [...new Set([...(memory.approvedTools ?? []), event.tool])]
    return { ...head, memory: { ...memory, approvedTools } }
  }
  const isLate = event.type === 'attempt/lost' && event.turnId !== head.open?.turnId
  if (event.type === 'turn/end' || isLate) {
    const { usage, cost } = event
    const spent = tokensOf(usage)
    if (spent === 0 && !cost) return head
    const tokens = (memory.tokens ?? 0) + spent
    const costMicroUsd = (memory.costMicroUsd ?? 0) + (cost ?? 0)
    return { ...head, memory: { ...memory, tokens, ...(costMicroUsd > 0 ? { costMicroUsd } : {}) } }
  }
  return head
}
