/**
 * One tool call as people follow it: asked for, perhaps approved, started, answered by one receipt.
 */
import type { Event, EventOf, RiskLevel } from '../../core/event.ts'
import type { ToolCall } from '../../core/message.ts'

/** What an open call waits for. */
export type CallStage =
  | 'asked'
  | 'waits-for-approval'
  | 'approved'
  | 'running'
  | 'waits-for-client'
  | 'settled'

export interface CallView {
  readonly callId: string
  readonly tool: string
  /** JSON text, as the model asked. */
  readonly arguments: string
  readonly stage: CallStage
  readonly risk?: RiskLevel
  readonly startedAt?: string
  /** Until when a human may decide, or the client answer. */
  readonly expiresAt?: string
  readonly requested?: EventOf<'approval/requested'>
  readonly decided?: EventOf<'approval/decided'>
  readonly receipt?: EventOf<'tool/result'>
}

/** A call of a message, from the events of its Step. */
export function callViewOf(call: ToolCall, events: readonly Event[]): CallView {
  const own = events.filter((event) => 'callId' in event && event.callId === call.callId)
  const requested = own.find((event) => event.type === 'approval/requested')
  const decided = own.find((event) => event.type === 'approval/decided')
  const started = own.find((event) => event.type === 'tool/call')
  const receipt = own.find((event) => event.type === 'tool/result')
  const risk = started?.risk ?? requested?.risk
  const expiresAt = started?.expiresAt ?? requested?.expiresAt
  return {
    callId: call.callId,
    tool: call.tool,
    arguments: call.arguments,
    stage: stageOf({ requested, decided, started, receipt }),
    ...(risk === undefined ? {} : { risk }),
    ...(started === undefined ? {} : { startedAt: started.at }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(requested === undefined ? {} : { requested }),
    ...(decided === undefined ? {} : { decided }),
    ...(receipt === undefined ? {} : { receipt }),
  }
}

interface Milestones {
  readonly requested: EventOf<'approval/requested'> | undefined
  readonly decided: EventOf<'approval/decided'> | undefined
  readonly started: EventOf<'tool/call'> | undefined
  readonly receipt: EventOf<'tool/result'> | undefined
}

function stageOf({ requested, decided, started, receipt }: Milestones): CallStage {
  if (receipt !== undefined) return 'settled'
  if (started !== undefined) return started.expiresAt === undefined ? 'running' : 'waits-for-client'
  if (decided !== undefined) return 'approved'
  return requested === undefined ? 'asked' : 'waits-for-approval'
}
