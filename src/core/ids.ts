/**
 * Identifiers: their alphabet, and the strings derived from them.
 *
 * Everything here is a pure function of ids, so that a retry, another process or a replay
 * derives the same string.
 */

/** One conversation: the tenant it belongs to and its id within that tenant. */
export interface SessionKey {
  readonly tenant: string
  readonly session: string
}

export const DEFAULT_TENANT = 'default'

const ID_PATTERN = /^[A-Za-z0-9_.-]{1,128}$/

/** True for a string of 1 to 128 characters out of `A-Z a-z 0-9 _ . -`. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && ID_PATTERN.test(value)
}

/** The Temporal workflow id of a Session: `turnstep:{tenant}:{session}`. */
export function workflowIdOf(key: SessionKey): string {
  return `turnstep:${key.tenant}:${key.session}`
}

/** The Session that a workflow id names, or undefined if it is not one of ours. */
export function parseWorkflowId(workflowId: string): SessionKey | undefined {
  const [prefix, tenant, session, ...rest] = workflowId.split(':')
  if (prefix !== 'turnstep' || rest.length > 0 || !isId(tenant) || !isId(session)) return undefined
  return { tenant, session }
}

/** Log key of an input: the same for its three possible fates, so that the first one wins. */
export function inputKey(inputId: string): string {
  return `input:${inputId}`
}

export function turnKey(turnId: string, part: 'start' | 'end'): string {
  return `turn:${turnId}:${part}`
}

/** `step` counts from 1 within its Turn. */
export function stepKey(turnId: string, step: number, part: 'start' | 'message' | 'end'): string {
  return `turn:${turnId}:step:${step}:${part}`
}

/** `index` is the position of the call in its assistant message, from 0. */
export function callKey(
  turnId: string,
  call: { readonly step: number; readonly index: number },
  part: 'call' | 'result' | 'requested' | 'decided' | 'audit',
): string {
  return `turn:${turnId}:call:${call.step}.${call.index}:${part}`
}

/** Key of the note that a paid model attempt was not used; `attempt` counts from 1 within its Step. */
export function attemptLostKey(turnId: string, step: number, attempt: number): string {
  return `turn:${turnId}:step:${step}:attempt:${attempt}:lost`
}

/** Key of the note that the tool history of a Turn left the context after that Step. */
export function replannedKey(turnId: string, step: number): string {
  return `turn:${turnId}:step:${step}:replanned`
}

/** Key of what the guardrails said: of an input, or of the final text of a Step. */
export function judgedKey(
  turnId: string,
  judged: { readonly inputId: string } | { readonly step: number },
): string {
  return 'inputId' in judged
    ? `turn:${turnId}:input:${judged.inputId}:judged`
    : `turn:${turnId}:step:${judged.step}:judged`
}

/** Key of the note that a human is to judge the text of a Step. */
export function heldKey(turnId: string, step: number): string {
  return `turn:${turnId}:step:${step}:held`
}

/** Key of the note that a message awaits its judgement. */
export function draftKey(turnId: string, step: number): string {
  return `turn:${turnId}:step:${step}:draft`
}

/** Key of the note that a Turn goes on in another run. */
export function continuedKey(turnId: string, runId: string): string {
  return `turn:${turnId}:continued:${runId}`
}

/**
 * The call id that providers see: short and unique in the Session.
 *
 * Ids that servers send are not kept, because some send one constant id for every call.
 */
export function callIdOf(position: {
  readonly turn: number
  readonly step: number
  readonly index: number
}): string {
  return `c${position.turn}_${position.step}_${position.index}`
}

/** Where a call stands: its Turn and Step, and its place in the message, from 0. */
export interface CallPosition {
  readonly turnId: string
  readonly turn: number
  readonly step: number
  readonly index: number
  readonly callId: string
}

/** The inverse of {@link callIdOf}; undefined for anything that it did not make. */
export function parseCallId(
  callId: string,
): { readonly turn: number; readonly step: number; readonly index: number } | undefined {
  const match = /^c(\d+)_(\d+)_(\d+)$/.exec(callId)
  if (match === null) return undefined
  return { turn: Number(match[1]), step: Number(match[2]), index: Number(match[3]) }
}

/** The id under which a human decides on the text of a Step that a guardrail holds. */
export function heldIdOf(position: { readonly turn: number; readonly step: number }): string {
  return `m${position.turn}_${position.step}`
}

/** The inverse of {@link heldIdOf}; undefined for anything that it did not make. */
export function parseHeldId(id: string): { readonly turn: number; readonly step: number } | undefined {
  const match = /^m(\d+)_(\d+)$/.exec(id)
  return match === null ? undefined : { turn: Number(match[1]), step: Number(match[2]) }
}

/** What counts the attempts of one model call. */
export function modelUnit(turnId: string, step: number): string {
  return `turn:${turnId}:step:${step}`
}

/** What counts the attempts of one tool call. */
export function toolUnit(turnId: string, call: { readonly step: number; readonly index: number }): string {
  return `turn:${turnId}:call:${call.step}.${call.index}`
}
