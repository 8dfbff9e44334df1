/**
 * What waits for somebody outside: calls and texts for a human's decision, calls for the client; and what was done.
 */
import type { AuditRecorded, EventOf } from '../core/event.ts'
import { type HeldText, heldTexts } from './decide-text.ts'
import type { SessionLink } from './session-link.ts'

/** What waits for a decision. */
export type PendingApproval = PendingCallApproval | HeldText

/** A call that waits for a decision. */
export type PendingCallApproval = { readonly kind: 'call' } & Pick<
  EventOf<'approval/requested'>,
  'callId' | 'tool' | 'arguments' | 'argumentsDigest' | 'risk' | 'expiresAt' | 'preview' | 'turnId' | 'step'
>

/** A call that the client is to run. */
export interface PendingClientCall {
  readonly callId: string
  readonly tool: string
  /** JSON text. */
  readonly arguments: string
  readonly requestId: string
  readonly expiresAt: string
}

/** What of the open Step waits for a decision, and the calls that wait for the client. */
export async function waitingCalls(
  link: SessionLink,
): Promise<{ readonly approvals: readonly PendingApproval[]; readonly calls: readonly PendingClientCall[] }> {
  const { open } = await link.store.head(link.key)
  if (open?.isStepOpen !== true) return { approvals: [], calls: [] }
  const events = await link.store.read(link.key, { turnId: open.turnId })
  const ofStep = events.filter((event) => 'step' in event && event.step === open.step)
  const settled = new Set(
    ofStep.flatMap((event) =>
      event.type === 'approval/decided' || event.type === 'tool/result'
        ? [`${event.type} ${event.callId}`]
        : [],
    ),
  )
  const message = ofStep.find((event) => event.type === 'assistant/message')
  const argumentsOf = (callId: string): string =>
    (message?.type === 'assistant/message' ? message.calls : []).find((call) => call.callId === callId)
      ?.arguments ?? '{}'
  const edited = new Map(
    ofStep.flatMap((event) =>
      event.type === 'approval/decided' && event.arguments !== undefined
        ? [[event.callId, event.arguments] as const]
        : [],
    ),
  )
  return {
    approvals: [
      ...(await heldTexts(link, ofStep)),
      ...ofStep.flatMap((event): PendingCallApproval[] => {
        if (event.type !== 'approval/requested') return []
        if (settled.has(`approval/decided ${event.callId}`) || settled.has(`tool/result ${event.callId}`))
          return []
        const { callId, tool, arguments: args, argumentsDigest, risk, expiresAt, preview } = event
        const { turnId, step } = event
        const asked = { callId, tool, arguments: args, argumentsDigest, risk, expiresAt, turnId, step }
        return [{ kind: 'call', ...asked, ...(preview === undefined ? {} : { preview }) }]
      }),
    ],
    calls: ofStep.flatMap((event) => {
      if (event.type !== 'tool/call' || event.expiresAt === undefined) return []
      if (settled.has(`tool/result ${event.callId}`)) return []
      const { callId, tool, requestId, expiresAt } = event
      return [{ callId, tool, requestId, expiresAt, arguments: edited.get(callId) ?? argumentsOf(callId) }]
    }),
  }
}

/** What calls of more than low risk did in this Session, in order. */
export async function auditsOf(
  link: SessionLink,
): Promise<readonly (AuditRecorded & { readonly at: string })[]> {
  const events = await link.store.read(link.key, { types: ['audit/recorded'] })
  return events.flatMap((event) => (event.type === 'audit/recorded' ? [event] : []))
}
