/**
 * What a human or a client says of a call that waits: first in the log, then the workflow is woken.
 */
import { type AgentLimits, type AgentSnapshot, DEFAULT_LIMITS } from '../core/agent.ts'
import { canonicalArguments } from '../core/canonical-json.ts'
import type { HumanDecision } from '../core/decide-approval.ts'
import { approvalKeys, decideDecision } from '../core/decide-approval.ts'
import { callKeys, decideClientAnswer, resultEvent } from '../core/decide-call.ts'
import { defined } from '../core/defined.ts'
import { TurnstepError } from '../core/errors.ts'
import type { AuditRecorded, DecisionKind, EventOf } from '../core/event.ts'
import type { CallPosition } from '../core/ids.ts'
import { callKey, parseCallId } from '../core/ids.ts'
import { bringsOutside, type ToolDescription } from '../core/ports.ts'
import { NO_OUTPUT, renderResult } from '../core/render-result.ts'
import { resultOptions } from '../core/result-options.ts'
import { type FinalText, ResultText } from '../core/result-text.ts'
import type { WakeSignal } from '../core/wire.ts'
import { SIGNAL } from '../core/wire.ts'
import type { SessionLink } from './session-link.ts'
import { handleOf } from './session-link.ts'

/** Text is looked at in pieces of this size, in UTF-16 units. */
const PIECE = 64 * 1024

/** A decision on one call. Fails as {@link decideCall} says. */
export interface DecisionOptions {
  readonly decision: DecisionKind
  /** Digest of the arguments that the human saw, as the approval has it. Absent: of those that are asked about. */
  readonly argumentsDigest?: string
  /** What is to run instead, for `edit`; judged as the model's arguments are. */
  readonly arguments?: Readonly<Record<string, unknown>>
  /** For `approve`: this call alone (the default), or this tool for the rest of the Session. */
  readonly scope?: 'once' | 'session'
  /** What follows once the Step's receipts are written. Default `continue`. */
  readonly then?: 'continue' | 'replan'
  /** For the model. */
  readonly note?: string
  /** Who decides. Default `user`. */
  readonly by?: string
}

/** A call that waits for a decision. */
export type PendingApproval = Pick<
  EventOf<'approval/requested'>,
  'callId' | 'tool' | 'arguments' | 'argumentsDigest' | 'risk' | 'expiresAt' | 'turnId' | 'step'
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

export interface AnswerOptions {
  /** A text, or a value that is rendered as a tool's result is. */
  readonly content: unknown
  readonly isError?: boolean
}

/**
 * Decides on a call. The first decision wins; the same again changes nothing and wakes the workflow once more.
 * Fails with `call-not-waiting` where no decision was asked for, `already-decided`, `arguments-changed`,
 * `too-late`, or `invalid-input` for a decision that cannot be meant.
 */
export async function decideCall(link: SessionLink, callId: string, options: DecisionOptions): Promise<void> {
  const decision = readDecision(options)
  const position = await positionOf(link, callId)
  const result = await link.store.commit(link.key, {
    keys: approvalKeys(position),
    decide: (view) => decideDecision(view, { position, decision, now: new Date().toISOString() }),
  })
  if (result.kind === 'refused') throw notWaiting(callId, link)
  const { answer } = result
  switch (answer.kind) {
    case 'recorded':
      return wake(link, { v: 1, kind: 'decided', id: callId })
    case 'conflict': {
      const { decision: made, by } = answer.event
      throw new TurnstepError('already-decided', `Call ${callId} was decided before: ${made}, by ${by}.`)
    }
    case 'arguments-changed':
      throw new TurnstepError(
        'arguments-changed',
        `The decision on call ${callId} is about other arguments than those that wait. Look at the approval again.`,
      )
    case 'expired':
      throw new TurnstepError('too-late', `The approval of call ${callId} expired at ${answer.expiresAt}.`)
    case 'not-requested':
    case 'closed':
      throw notWaiting(callId, link)
  }
}

/**
 * Posts the result of a call that the client runs: once, in time. Fails with `call-not-waiting`,
 * `already-decided` (it has its answer) or `too-late`.
 */
export async function answerCall(link: SessionLink, callId: string, options: AnswerOptions): Promise<void> {
  const position = await positionOf(link, callId)
  const rendered = renderResult(options.content ?? NO_OUTPUT)
  if (rendered.kind === 'unserializable')
    throw new TurnstepError('invalid-input', `The content cannot be turned into text: ${rendered.problem}`)
  const given = await givenCall(link, position)
  const receipt = resultEvent(position, {
    kind: options.isError === true ? 'failed' : 'ok',
    ...(await finalText(link, given, rendered.text)),
    mark: crypto.randomUUID().slice(0, 8),
    ...(given.tool === undefined || bringsOutside(given.tool) ? { outside: true as const } : {}),
  })
  const result = await link.store.commit(link.key, {
    keys: callKeys(position),
    decide: (view) =>
      decideClientAnswer(view, { position, events: [receipt], now: new Date().toISOString() }),
  })
  if (result.kind === 'refused') throw notWaiting(callId, link)
  const { answer } = result
  switch (answer.kind) {
    case 'recorded':
      return wake(link, { v: 1, kind: 'answered', id: callId })
    case 'answered':
      throw new TurnstepError('already-decided', `Call ${callId} has its answer: ${answer.result.kind}.`)
    case 'expired':
      throw new TurnstepError('too-late', `The time to answer call ${callId} ended at ${answer.expiresAt}.`)
    case 'not-waiting':
      throw notWaiting(callId, link)
  }
}

/** The calls of the open Step that wait for a decision, and those that wait for the client. */
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
    approvals: ofStep.flatMap((event) => {
      if (event.type !== 'approval/requested') return []
      if (settled.has(`approval/decided ${event.callId}`) || settled.has(`tool/result ${event.callId}`))
        return []
      const { callId, tool, arguments: args, argumentsDigest, risk, expiresAt, turnId, step } = event
      return [{ callId, tool, arguments: args, argumentsDigest, risk, expiresAt, turnId, step }]
    }),
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

const DECISIONS: readonly DecisionKind[] = ['approve', 'edit', 'deny', 'replan']

function readDecision(options: DecisionOptions): HumanDecision {
  const { decision, argumentsDigest, scope, then, note, by = 'user', arguments: args } = options
  const invalid = (why: string): never => {
    throw new TurnstepError('invalid-input', `The decision cannot be taken: ${why}.`)
  }
  if (!DECISIONS.includes(decision)) invalid(`decision must be one of ${DECISIONS.join(', ')}`)
  if (decision === 'edit' && (typeof args !== 'object' || args === null || Array.isArray(args)))
    invalid('edit needs arguments, an object')
  if (decision !== 'edit' && args !== undefined) invalid('only edit has arguments')
  if (scope !== undefined && scope !== 'once' && scope !== 'session')
    invalid("scope must be 'once' or 'session'")
  if (scope === 'session' && decision !== 'approve') invalid('only approve can be for the session')
  if (then !== undefined && then !== 'continue' && then !== 'replan')
    invalid("then must be 'continue' or 'replan'")
  if (note !== undefined && typeof note !== 'string') invalid('note must be a text')
  return {
    decision,
    by: by.toWellFormed(),
    ...(argumentsDigest === undefined ? {} : { argumentsDigest }),
    ...(scope === undefined || scope === 'once' ? {} : { scope }),
    ...(then === undefined || then === 'continue' ? {} : { then }),
    ...(note === undefined ? {} : { note: note.toWellFormed() }),
    ...(args === undefined ? {} : { arguments: canonicalArguments(JSON.stringify(args)) }),
  }
}

/** A call is decided in the Turn that is open; a call id says which Turn it belongs to. */
async function positionOf(link: SessionLink, callId: string): Promise<CallPosition> {
  const parsed = parseCallId(callId)
  const { open } = await link.store.head(link.key)
  if (parsed === undefined || open === undefined || open.turn !== parsed.turn) throw notWaiting(callId, link)
  return { turnId: open.turnId, callId, ...parsed }
}

function notWaiting(callId: string, link: SessionLink): TurnstepError {
  return new TurnstepError(
    'call-not-waiting',
    `Call ${callId} of session ${link.key.session} does not wait for this: it was never asked about, or is settled.`,
  )
}

/** What the agent says of the tool of a call; limits of the defaults where that is not known. */
interface GivenCall {
  readonly tool?: ToolDescription
  readonly limits: AgentLimits
}

async function givenCall({ store, key }: SessionLink, position: CallPosition): Promise<GivenCall> {
  const call = await store.find(key, callKey(position.turnId, position, 'call'))
  const { open } = await store.head(key)
  const content = await store.getContent(key.tenant, open?.agentDigest ?? '')
  if (call?.type !== 'tool/call' || content === undefined) return { limits: DEFAULT_LIMITS }
  const { tools, limits } = JSON.parse(content) as AgentSnapshot
  const tool = tools.find(({ name }) => name === call.tool)
  return defined({ tool, limits: { ...DEFAULT_LIMITS, ...limits } })
}

/** Bounded, and kept whole where it is large, as what a worker's tool returns. */
async function finalText({ store, key }: SessionLink, given: GivenCall, text: string): Promise<FinalText> {
  const result = new ResultText(
    resultOptions({
      tool: given.tool,
      limits: given.limits,
      beginSpill: (limit) => store.beginSpill(key, limit),
    }),
  )
  for (let at = 0; at < text.length; at += PIECE) await result.write(text.slice(at, at + PIECE))
  return result.end()
}

/** The log decides. A wake that is lost is sent again by a worker, and by whoever decides the same again. */
async function wake(link: SessionLink, signal: WakeSignal): Promise<void> {
  await handleOf(link)
    .signal(SIGNAL.wake, signal)
    .catch(() => undefined)
}
