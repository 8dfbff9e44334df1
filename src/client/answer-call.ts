/**
 * The answer of a client to a call that it runs: first in the log, then the workflow is woken.
 */
import { createHmac } from 'node:crypto'
import { type AgentLimits, type AgentSnapshot, DEFAULT_LIMITS } from '../core/agent.ts'
import { callKeys, decideClientAnswer, resultEvent } from '../core/decide-call.ts'
import { defined } from '../core/defined.ts'
import { TurnstepError } from '../core/errors.ts'
import type { NewEvent } from '../core/event.ts'
import type { CallPosition } from '../core/ids.ts'
import { callKey } from '../core/ids.ts'
import { bringsOutside, type ToolDescription } from '../core/ports.ts'
import { detectorsOf } from '../core/redaction/redaction-policy.ts'
import { sessionRedactor } from '../core/redaction/session-redactor.ts'
import { NO_OUTPUT, renderResult } from '../core/render-result.ts'
import { resultOptions } from '../core/result-options.ts'
import { type FinalText, ResultText } from '../core/result-text.ts'
import type { SessionLink } from './session-link.ts'
import { notWaiting, positionOf, wake } from './waiting-call.ts'

/** Text is looked at in pieces of this size, in UTF-16 units. */
const PIECE = 64 * 1024

export interface AnswerOptions {
  /** A text, or a value that is rendered as a tool's result is. */
  readonly content: unknown
  readonly isError?: boolean
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
  // What is refused leaves nothing behind, so it is refused before a large text is kept.
  await post(link, position, [])
  const given = await givenCall(link, position)
  const receipt = resultEvent(position, {
    kind: options.isError === true ? 'failed' : 'ok',
    ...(await finalText(link, given, rendered.text)),
    mark: crypto.randomUUID().slice(0, 8),
    ...(given.tool === undefined || bringsOutside(given.tool) ? { outside: true as const } : {}),
  })
  await post(link, position, [receipt])
  return wake(link, { v: 1, kind: 'answered', id: callId })
}

/** Appends these if the call may be answered now; fails otherwise. */
async function post(link: SessionLink, position: CallPosition, events: readonly NewEvent[]): Promise<void> {
  const { callId } = position
  const result = await link.store.commit(link.key, {
    keys: callKeys(position),
    decide: (view) => decideClientAnswer(view, { position, events, now: new Date().toISOString() }),
  })
  if (result.kind === 'refused') throw notWaiting(callId, link)
  const { answer } = result
  switch (answer.kind) {
    case 'recorded':
      return
    case 'answered':
      throw new TurnstepError('already-decided', `Call ${callId} has its answer: ${answer.result.kind}.`)
    case 'expired':
      throw new TurnstepError('too-late', `The time to answer call ${callId} ended at ${answer.expiresAt}.`)
    case 'not-waiting':
      throw notWaiting(callId, link)
  }
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

/** Redacted, bounded, and kept whole where it is large, as what a worker's tool returns. An agent's own detectors are with its workers. */
async function finalText({ store, key }: SessionLink, given: GivenCall, text: string): Promise<FinalText> {
  const redactor = sessionRedactor({
    secret: await store.secret(),
    session: key,
    detectors: detectorsOf(given.tool?.redact ?? 'default', undefined),
    hmac: (secret, value) => createHmac('sha256', secret).update(value, 'utf8').digest('hex'),
  })
  const result = new ResultText(
    resultOptions({
      redact: redactor.redactText,
      tool: given.tool,
      limits: given.limits,
      beginSpill: (limit) => store.beginSpill(key, limit),
    }),
  )
  for (let at = 0; at < text.length; at += PIECE) await result.write(text.slice(at, at + PIECE))
  return result.end()
}
