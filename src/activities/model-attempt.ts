/**
 * One attempt at a model call: the request, the stream, and what is kept of it however it ends.
 */
import type { Agent, AgentSnapshot } from '../core/agent.ts'
import { DEFAULT_POLICY } from '../core/authorize-call.ts'
import { costOf } from '../core/cost.ts'
import { decideDraft, decideUnjudged } from '../core/decide-judgement.ts'
import type { MessageAnswer, MessageOffer } from '../core/decide-step.ts'
import { decideLost, decideMessage } from '../core/decide-step.ts'
import { isTurnstepError, TurnstepError } from '../core/errors.ts'
import type { AttemptLost, EventOf } from '../core/event.ts'
import type { SessionKey } from '../core/ids.ts'
import { draftKey, modelUnit, stepKey } from '../core/ids.ts'
import type { Message } from '../core/message.ts'
import { charactersOf } from '../core/message.ts'
import type { AttemptOutcome, Attempts, ModelResponse } from '../core/ports.ts'
import { meaningOf } from '../core/read-response.ts'
import type { Usage } from '../core/usage.ts'
import { estimateTokens } from '../core/usage.ts'
import { answerOf } from './answer-of.ts'
import { commitResult, patiently } from './commit-result.ts'
import type { CallModelAnswer, CallModelRequest } from './contracts.ts'
import { type LiveStore, LiveWriter } from './live-writer.ts'
import type { BoundPorts } from './ports.ts'
import type { PreparedCall } from './prepare-calls.ts'
import { cutCalls, prepareCalls } from './prepare-calls.ts'
import type { TurnBudget } from './turn-budgets.ts'

interface Surroundings extends BoundPorts {
  readonly agent: Agent
  readonly snapshot: AgentSnapshot
  readonly key: SessionKey
  readonly request: CallModelRequest
  readonly budget: TurnBudget
  /** Number of this attempt within its Step, from 1. */
  readonly number: number
}

/** What a model said, with its calls prepared. */
type Said = Pick<
  MessageOffer['message'],
  'text' | 'finish' | 'usage' | 'model' | 'reasoning' | 'interrupted'
> & { readonly prepared: readonly PreparedCall[] }

export type AttemptEnd =
  | { readonly kind: 'answered'; readonly answer: CallModelAnswer }
  /** The signal fired. */
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly error: TurnstepError }

/** Codes that end the Turn, because the same request would be refused again. */
const FINAL: ReadonlySet<string> = new Set(['provider-rejected', 'provider-auth', 'context-too-long'])

/** Where text streams to that is still to be judged. */
const NOBODY: LiveStore = { appendLive: () => Promise.resolve() }

const FIRST_BACKOFF_MS = 500
const LONGEST_BACKOFF_MS = 10_000

export class ModelAttempt {
  readonly #around: Surroundings
  readonly #position: { readonly turnId: string; readonly turn: number; readonly step: number }
  readonly #unit: string
  readonly #live: LiveWriter
  /** Whether what it says is kept from everybody until it is judged. */
  readonly #isGuarded: boolean
  #messages: readonly Message[] = []

  constructor(around: Surroundings) {
    const { turnId, turn, step } = around.request
    this.#around = around
    this.#position = { turnId, turn, step }
    this.#unit = modelUnit(turnId, step)
    this.#isGuarded = (around.snapshot.guardrails?.output.length ?? 0) > 0
    const live = this.#isGuarded ? NOBODY : around.store
    this.#live = new LiveWriter(live, around.key, { turnId, step, attempt: around.number })
  }

  /** Builds the request from the log up to `seq`. */
  async prepare(seq: number): Promise<void> {
    const { messages, key } = this.#around
    this.#messages = await patiently(() => messages.upTo(key, seq))
  }

  /** Ends before its request when it is not the Step's first, and those before it have spent the budget. */
  async endIfSpent(): Promise<AttemptEnd | undefined> {
    const end = this.#around.number > 1 ? await this.#around.budget.end() : undefined
    if (end === undefined) return undefined
    await this.#end('interrupted')
    return { kind: 'answered', answer: { kind: 'budget-spent', ...end } }
  }

  /** Makes the request and commits the answer. */
  async run(signal: AbortSignal): Promise<AttemptEnd> {
    const { agent, snapshot } = this.#around
    let response: ModelResponse
    try {
      response = await agent.model.respond(
        { instructions: snapshot.instructions, messages: this.#messages, tools: snapshot.tools },
        { signal, onDelta: (delta) => this.#live.write(delta) },
      )
    } catch (error) {
      await this.#live.end()
      if (signal.aborted) return { kind: 'stopped' }
      if (isTurnstepError(error)) return { kind: 'failed', error }
      throw error
    }
    await this.#live.endAnswered()
    return { kind: 'answered', answer: await this.#commit(response) }
  }

  /** Notes that the attempt before this one was paid for, if the log lacks one of so many lost workers. */
  async recordLostWorker(lost: number): Promise<void> {
    const { store, key } = this.#around
    const { turnId } = this.#position
    const known = await patiently(() => store.read(key, { turnId, types: ['attempt/lost'] }))
    const ofStep = known.filter(
      (event): event is EventOf<'attempt/lost'> =>
        event.type === 'attempt/lost' && event.step === this.#position.step,
    )
    if (ofStep.filter(({ cause }) => cause === 'worker-lost').length >= lost) return
    await this.#recordLost({
      attempt: this.#around.number - 1,
      cause: 'worker-lost',
      usage: this.#estimate(''),
    })
  }

  /** Ends this attempt, whose answer was empty, and begins another. */
  async beginNext(): Promise<Attempts> {
    const { store, key } = this.#around
    await this.#end('interrupted')
    const result = await commitResult(store, key, {
      keys: [],
      beginAttempt: this.#unit,
      decide: () => ({ append: [], answer: undefined }),
    })
    if (result.kind === 'refused' || result.attempts === undefined)
      throw new TurnstepError('internal', 'No attempt was begun')
    return result.attempts
  }

  /** Another attempt is to be made, elsewhere or by other code. */
  async yieldToNext(cause: 'worker-shutdown' | 'provider-failed'): Promise<void> {
    await this.#recordIfPaid(cause)
    await this.#end('interrupted')
  }

  /** Keeps the text that the user saw, without calls and reasoning, and answers `kind`. What nobody saw is dropped. */
  async keepPartial(kind: 'interrupted'): Promise<CallModelAnswer>
  async keepPartial(kind: 'failed', code: string): Promise<CallModelAnswer>
  async keepPartial(kind: 'interrupted' | 'failed', code = ''): Promise<CallModelAnswer> {
    const answer: CallModelAnswer = kind === 'interrupted' ? { kind } : { kind, code }
    const { text } = this.#live
    if (text.trim() === '' || this.#isGuarded) {
      await this.#recordIfPaid(kind === 'interrupted' ? 'aborted' : 'provider-failed')
      return answer
    }
    const { seq } = await this.#commitMessage({
      text,
      finish: 'none',
      usage: this.#estimate(text),
      model: this.#around.snapshot.model,
      interrupted: true,
      prepared: [],
    })
    return seq === undefined ? { kind: 'turn-closed' } : { ...answer, seq }
  }

  /** After a failure of the provider: another attempt at the time it asked for, or the end of the Turn. */
  async giveUpOrThrow(error: TurnstepError): Promise<CallModelAnswer> {
    const { limits } = this.#around.snapshot
    if (FINAL.has(error.code)) return this.keepPartial('failed', error.code)
    if (!error.retryable) throw error
    const attempts = await this.#end('provider')
    const backoffMs = Math.min(FIRST_BACKOFF_MS * 2 ** (attempts.provider - 1), LONGEST_BACKOFF_MS)
    const retryAfterMs = Math.max(backoffMs, error.retryAfterMs ?? 0)
    if (attempts.provider >= limits.maxModelAttempts || retryAfterMs > limits.maxRetryAfterMs) {
      return this.keepPartial('failed', error.code)
    }
    await this.#recordIfPaid('provider-failed')
    const end = await this.#around.budget.end()
    if (end !== undefined) return { kind: 'budget-spent', ...end }
    throw new TurnstepError(error.code, error.message, { cause: error, retryAfterMs })
  }

  async #commit(response: ModelResponse): Promise<CallModelAnswer> {
    const { agent, snapshot } = this.#around
    const meaning = meaningOf(response)
    const usage = response.usage ?? this.#estimate(response.text, response)
    const { text, finish, model, reasoning } = response
    const calls =
      meaning.kind === 'calls' || meaning.kind === 'cut' || meaning.kind === 'refused' ? meaning.calls : []
    const prepared =
      meaning.kind === 'calls'
        ? await prepareCalls(calls, { tools: snapshot.tools, host: agent.tools })
        : cutCalls(calls)
    if (meaning.kind === 'empty' || (text.trim() === '' && prepared.length === 0)) {
      await this.#recordLost({ attempt: this.#around.number, cause: 'empty', usage })
      return withoutMessage(meaning.kind)
    }
    const said = {
      text,
      finish,
      usage,
      model,
      prepared,
      ...(reasoning === undefined ? {} : { reasoning }),
    }
    if (this.#isGuarded && text.trim() !== '') return this.#keepDraft(said)
    const { seq, message, receipts } = await this.#commitMessage(said)
    if (message === undefined) return this.#isGuarded ? this.#inLog() : { kind: 'turn-closed' }
    return { ...answerOf(message, receipts), ...(seq === undefined ? {} : { seq }) }
  }

  /** Keeps what the model said beside the log, whole, until it is judged: it is neither shown nor paid for again. */
  async #keepDraft(said: Said): Promise<CallModelAnswer> {
    const { store, key } = this.#around
    const { turnId, step } = this.#position
    const offer = this.#offerOf(said)
    const digest = await patiently(() => store.putContent(key.tenant, JSON.stringify(offer)))
    const result = await commitResult<MessageAnswer>(store, key, {
      keys: [draftKey(turnId, step), stepKey(turnId, step, 'message')],
      decide: (view) => decideDraft(view, { offer, digest }),
    })
    if (result.kind === 'refused') {
      await this.#recordLost({ attempt: this.#around.number, cause: 'superseded', usage: said.usage })
      return { kind: 'turn-closed' }
    }
    return this.#inLog()
  }

  /** What this Step has brought by its log, be it of another attempt. */
  async #inLog(): Promise<CallModelAnswer> {
    const { store, key } = this.#around
    const { turnId, step } = this.#position
    const events = await patiently(() => store.read(key, { turnId }))
    const { seq } = await patiently(() => store.head(key))
    const message = events.find((event) => event.key === stepKey(turnId, step, 'message'))
    if (message?.type === 'assistant/message') return { ...answerOf(message, events), seq }
    const draft = events.find((event) => event.key === draftKey(turnId, step))
    return draft?.type === 'assistant/draft'
      ? { kind: 'draft', digest: draft.digest, seq }
      : { kind: 'turn-closed' }
  }

  #offerOf({ prepared, ...message }: Said): MessageOffer {
    return {
      message: { ...this.#position, ...message, text: message.text.toWellFormed() },
      calls: prepared.map(({ tool, arguments: args, risk = 'low' }) => ({ tool, arguments: args, risk })),
      policy: this.#around.snapshot.policy ?? DEFAULT_POLICY,
      unrunnable: prepared.flatMap(({ unrunnable }, index) =>
        unrunnable === undefined ? [] : [{ index, ...unrunnable }],
      ),
      lost: [],
      attempt: this.#around.number,
    }
  }

  async #commitMessage(said: Said): Promise<{
    readonly seq?: number
    readonly message?: EventOf<'assistant/message'>
    readonly receipts: readonly EventOf<'tool/result'>[]
  }> {
    const { store, key } = this.#around
    const { turnId, step } = this.#position
    const offer = this.#offerOf(said)
    const messageKey = stepKey(turnId, step, 'message')
    const result = await commitResult<MessageAnswer>(store, key, {
      keys: [messageKey, ...(this.#isGuarded ? [draftKey(turnId, step)] : [])],
      decide: (view) => (this.#isGuarded ? decideUnjudged(view, offer) : decideMessage(view, offer)),
    })
    if (result.kind === 'refused') {
      await this.#recordLost({ attempt: this.#around.number, cause: 'superseded', usage: said.usage })
      return { receipts: [] }
    }
    if (this.#live.isWritten || this.#around.number > 1)
      await store.clearLive(key, { turnId, step }).catch(() => undefined)
    const events =
      result.answer === 'committed' ? result.events : await patiently(() => store.read(key, { turnId }))
    const committed = events.find((event) => event.key === messageKey)
    const receipts = events.filter((event): event is EventOf<'tool/result'> => event.type === 'tool/result')
    if (committed?.type !== 'assistant/message') return { receipts: [] }
    return { seq: result.head.seq, message: committed, receipts }
  }

  async #end(outcome: AttemptOutcome): Promise<Attempts> {
    const { store, key, number } = this.#around
    return patiently(() => store.endAttempt(key, this.#unit, { number, outcome }))
  }

  /** Notes a lost attempt if the provider had begun to answer: what it sends is paid for. */
  async #recordIfPaid(cause: AttemptLost['cause']): Promise<void> {
    if (!this.#live.hasContent) return
    await this.#recordLost({ attempt: this.#around.number, cause, usage: this.#estimate(this.#live.text) })
  }

  async #recordLost(lost: Pick<AttemptLost, 'attempt' | 'cause' | 'usage'>): Promise<void> {
    const { price } = this.#around.snapshot
    const paid = price === undefined ? lost : { ...lost, cost: costOf(lost.usage, price) }
    await commitResult(this.#around.store, this.#around.key, {
      keys: [stepKey(this.#position.turnId, this.#position.step, 'message')],
      decide: (view) => decideLost(view, this.#position, paid),
    })
  }

  /** Tokens of a call whose usage the provider did not report: text, reasoning and arguments, in and out. */
  #estimate(text: string, response?: ModelResponse): Usage {
    const { instructions } = this.#around.snapshot
    const sent = this.#messages.reduce((sum, message) => sum + charactersOf(message), instructions.length)
    const calls = response?.calls ?? []
    const said = calls.reduce((sum, call) => sum + call.tool.length + call.argumentsText.length, text.length)
    return {
      inputTokens: estimateTokens(sent),
      outputTokens: estimateTokens(said + (response?.reasoning?.text.length ?? 0)),
      estimated: true,
    }
  }
}

/** The answer of a model that said nothing that could be stored. */
function withoutMessage(kind: ReturnType<typeof meaningOf>['kind']): CallModelAnswer {
  if (kind === 'refused') return { kind }
  return kind === 'cut' ? { kind, receipts: 0 } : { kind: 'empty' }
}
