import type { AuditRecorded, NewEvent } from './event.ts'
import { callKey, parseCallId } from './ids.ts'

/** The record of what a call of more than low risk did, whoever writes it: the attempt that ran it, or the closing. */
export function auditEvent(record: Omit<AuditRecorded, 'type'>): NewEvent {
  const index = parseCallId(record.callId)?.index ?? 0
  const key = callKey(record.turnId, { step: record.step, index }, 'audit')
  return { type: 'audit/recorded', ...record, key }
}
