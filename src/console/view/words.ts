/**
 * Words, signs and tones for what the log says: never colour alone.
 */
import type { EndReason, RefusalReason } from '../../core/event.ts'
import type { ReceiptKind } from '../../core/receipt.ts'
import type { TurnPhase } from '../../core/wire.ts'
import type { CallStage } from './call-view.ts'

/** Which colour of the palette; its word and sign say the same. */
export type Tone = 'good' | 'bad' | 'warning' | 'active' | 'quiet'

export interface Sign {
  readonly word: string
  readonly icon: string
  readonly tone: Tone
}

export const RECEIPT_SIGNS: Readonly<Record<ReceiptKind, Sign>> = {
  ok: { word: 'ok', icon: '✓', tone: 'good' },
  failed: { word: 'failed', icon: '✗', tone: 'bad' },
  'invalid-arguments': { word: 'invalid arguments', icon: '✗', tone: 'bad' },
  'unknown-tool': { word: 'unknown tool', icon: '✗', tone: 'bad' },
  denied: { word: 'denied', icon: '⊘', tone: 'warning' },
  'timed-out': { word: 'timed out', icon: '⌛', tone: 'bad' },
  'not-started': { word: 'not started', icon: '○', tone: 'quiet' },
  cancelled: { word: 'cancelled', icon: '■', tone: 'quiet' },
  'outcome-unknown': { word: 'outcome unknown', icon: '?', tone: 'warning' },
  repeated: { word: 'repeated, not run', icon: '↻', tone: 'warning' },
  'output-cut': { word: 'output cut, not run', icon: '✂', tone: 'warning' },
}

export const STAGE_SIGNS: Readonly<Record<Exclude<CallStage, 'settled'>, Sign>> = {
  asked: { word: 'asked for', icon: '·', tone: 'quiet' },
  'waits-for-approval': { word: 'waits for approval', icon: '!', tone: 'warning' },
  approved: { word: 'decided', icon: '·', tone: 'active' },
  running: { word: 'running', icon: '▸', tone: 'active' },
  'waits-for-client': { word: 'waits for the client', icon: '⇄', tone: 'warning' },
}

export const PHASE_SIGNS: Readonly<Record<TurnPhase, Sign>> = {
  pending: { word: 'pending', icon: '·', tone: 'quiet' },
  thinking: { word: 'thinking', icon: '…', tone: 'active' },
  tool_calling: { word: 'calling tools', icon: '→', tone: 'active' },
  tool_executing: { word: 'running tools', icon: '▸', tone: 'active' },
  waiting_human: { word: 'waiting for a human', icon: '!', tone: 'warning' },
  finished: { word: 'finished', icon: '✓', tone: 'good' },
  failed: { word: 'failed', icon: '✗', tone: 'bad' },
}

export const END_SIGNS: Readonly<Record<EndReason, Sign>> = {
  completed: { word: 'completed', icon: '✓', tone: 'good' },
  aborted: { word: 'stopped', icon: '■', tone: 'quiet' },
  error: { word: 'error', icon: '✗', tone: 'bad' },
  blocked: { word: 'blocked', icon: '⊘', tone: 'warning' },
  'max-tokens': { word: 'answers cut off', icon: '✂', tone: 'warning' },
  'max-steps': { word: 'step limit', icon: '⊣', tone: 'warning' },
  'max-duration': { word: 'time limit', icon: '⌛', tone: 'warning' },
  'token-budget': { word: 'token budget spent', icon: '⊣', tone: 'warning' },
  'cost-budget': { word: 'cost budget spent', icon: '⊣', tone: 'warning' },
  stalled: { word: 'stalled', icon: '↻', tone: 'warning' },
  'provider-refused': { word: 'provider refused', icon: '⊘', tone: 'warning' },
}

/** Of a Session, as lists show it. */
export const SESSION_SIGNS: Readonly<Record<'idle' | 'running' | 'waiting_human', Sign>> = {
  idle: { word: 'idle', icon: '○', tone: 'quiet' },
  running: { word: 'running', icon: '▸', tone: 'active' },
  waiting_human: { word: 'waiting for a human', icon: '!', tone: 'warning' },
}

export const REFUSALS: Readonly<Record<RefusalReason, string>> = {
  'invalid-input': 'it could not be read',
  'inbox-full': 'too many inputs wait',
  'too-large': 'it is too large',
  'stale-turn': 'the Turn it was for is over',
  'content-missing': 'its content is not in the store',
}

const UNKNOWN: Sign = { word: 'unknown', icon: '?', tone: 'quiet' }

/** The sign under a name, also for names that a later version brings. */
export function signOf(signs: Readonly<Record<string, Sign>>, name: string): Sign {
  return Object.hasOwn(signs, name) ? (signs[name] ?? UNKNOWN) : { ...UNKNOWN, word: name }
}
