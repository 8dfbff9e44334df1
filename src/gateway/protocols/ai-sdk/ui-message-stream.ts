/**
 * The AI SDK's UI message stream of one Turn: one assistant message, its id made of the Turn's.
 *
 * 1. A Turn that waits for what the page can give (a decision, a client tool's result) finishes the stream, as the
 *    protocol has it; the page's next request goes on after `after`, which it was told in the message's metadata.
 * 2. Text that an attempt said before it started over stays in the message as a part of its own that is marked void:
 *    `providerMetadata.turnstep.void` where it was still open, and always by a `data-turnstep-void` part.
 * 3. A Turn that did not complete ends with a step of its own, so that no page takes the calls before it for
 *    something to answer.
 */
import type { StreamItem } from '../../../client/follow-events.ts'
import { defined } from '../../../core/defined.ts'
import type { TurnEnd } from '../../../core/event.ts'
import { handBackText } from '../../../core/hand-back.ts'
import type { TurnPart } from '../turn-part.ts'
import { type TurnChoice, TurnStory } from '../turn-story.ts'
import { ToolParts } from './tool-parts.ts'
import type { FinishReason, UIMessageChunk } from './ui-message-chunk.ts'

const FINISH: Readonly<Partial<Record<TurnEnd['reason'], FinishReason>>> = {
  completed: 'stop',
  'max-tokens': 'length',
  blocked: 'content-filter',
  'provider-refused': 'content-filter',
  error: 'error',
}

/** Id of the assistant message that a Turn comes to. */
export function messageIdOf(turnId: string): string {
  return `answer-${turnId}`
}

export interface PageState {
  /** What the page has, up to this `seq`. Default 0. */
  readonly after?: number
  /** Calls that the page has just decided on or answered: it is not asked for them again. */
  readonly given?: ReadonlySet<string>
}

export class UIMessageStream {
  readonly #story: TurnStory
  readonly #after: number
  readonly #given: ReadonlySet<string>
  readonly #tools = new ToolParts()
  #isPaused = false
  #seq = 0

  constructor(choice: TurnChoice, { after = 0, given = new Set<string>() }: PageState = {}) {
    this.#story = new TurnStory(choice)
    this.#after = after
    this.#given = given
  }

  /** Whether no more chunks follow. */
  get isOver(): boolean {
    return this.#isPaused || this.#story.isOver
  }

  /** The chunks of one more item. */
  read(item: StreamItem): readonly UIMessageChunk[] {
    if (this.isOver) return []
    if (item.kind === 'event') this.#seq = item.event.seq
    const parts = this.#story.read(item)
    const voids = new Set(parts.flatMap((part) => (part.kind === 'void' ? [part.id] : [])))
    const chunks = parts.flatMap((part) => this.#chunksOf(part, voids))
    const isNew = item.kind === 'event' ? this.#seq > this.#after : this.#seq >= this.#after
    if (isNew) return chunks
    this.#isPaused = false
    return chunks.filter(({ type }) => type === 'start' || (this.#story.isOver && type === 'finish'))
  }

  #chunksOf(part: TurnPart, voids: ReadonlySet<string>): readonly UIMessageChunk[] {
    switch (part.kind) {
      case 'turn-start':
        return [{ type: 'start', messageId: messageIdOf(part.turnId), messageMetadata: this.#metadata() }]
      case 'input':
        return this.#input(part)
      case 'step-start':
        return [
          { type: 'start-step' },
          { type: 'data-turnstep-status', transient: true, data: { phase: 'running', step: part.step } },
        ]
      case 'begin': {
        const { channel, id } = part
        return [{ type: `${channel}-start`, id, providerMetadata: { turnstep: { id } } }]
      }
      case 'delta':
        return [{ type: `${part.channel}-delta`, id: part.id, delta: part.delta }]
      case 'end': {
        const { channel, id } = part
        const isVoid = voids.has(id) ? { providerMetadata: { turnstep: { id, void: true } } } : {}
        return [{ type: `${channel}-end`, id, ...isVoid }]
      }
      case 'void': {
        const { channel, id } = part
        return [{ type: 'data-turnstep-void', id, data: { channel, id } }]
      }
      case 'message':
        return []
      case 'held': {
        const { callId, guardrail, reason, digest, expiresAt } = part.event
        return [
          { type: 'data-turnstep-held', id: callId, data: { callId, guardrail, reason, digest, expiresAt } },
        ]
      }
      case 'waiting':
        return this.#wait(part.callIds)
      case 'going-on':
        return [{ type: 'data-turnstep-status', transient: true, data: { phase: 'running' } }]
      case 'step-end':
        return [{ type: 'finish-step' }]
      case 'turn-end':
        return this.#end(part.event)
      default:
        return this.#tools.chunksOf(part)
    }
  }

  #input({ inputId, fate, via, reason }: Extract<TurnPart, { kind: 'input' }>): readonly UIMessageChunk[] {
    const isOpener = via !== 'steer' && fate === 'claimed'
    if (isOpener) return []
    const told: UIMessageChunk = {
      type: 'data-turnstep-input',
      id: inputId,
      data: defined({ inputId, fate, via, reason }),
    }
    if (this.#story.turnId !== undefined) return [told]
    const start: UIMessageChunk = {
      type: 'start',
      messageId: messageIdOf(inputId),
      messageMetadata: this.#metadata(),
    }
    return fate === 'refused'
      ? [start, told, { type: 'error', errorText: `The message was not taken: ${reason ?? 'refused'}.` }]
      : [start, told, { type: 'finish', finishReason: 'other', messageMetadata: this.#metadata() }]
  }

  /** The page is asked, unless something waits that this protocol cannot answer, or all was given already. */
  #wait(callIds: readonly string[]): readonly UIMessageChunk[] {
    const status: UIMessageChunk = {
      type: 'data-turnstep-status',
      transient: true,
      data: { phase: 'waiting_human' },
    }
    const isAnswerable = callIds.every((callId) => this.#tools.has(callId))
    if (!isAnswerable || callIds.every((callId) => this.#given.has(callId))) return [status]
    this.#isPaused = true
    return [
      status,
      { type: 'finish-step' },
      { type: 'finish', finishReason: 'tool-calls', messageMetadata: this.#metadata({ after: this.#seq }) },
    ]
  }

  #end(event: TurnEnd): readonly UIMessageChunk[] {
    const { turnId, reason, code, scope, handBack, usage, cost } = event
    const end: UIMessageChunk = {
      type: 'data-turnstep-end',
      id: turnId,
      data: { turnId, reason, ...defined({ code, scope, handBack }), usage, cost },
    }
    const finish: UIMessageChunk = {
      type: 'finish',
      finishReason: FINISH[reason] ?? 'other',
      messageMetadata: this.#metadata({ after: this.#seq, reason }),
    }
    if (reason === 'completed') return [end, finish]
    const id = `handback-${turnId}`
    // Who stopped a Turn knows why it ended.
    const text: readonly UIMessageChunk[] =
      handBack === undefined || reason === 'aborted'
        ? []
        : [
            { type: 'text-start', id, providerMetadata: { turnstep: { id, handBack: true } } },
            { type: 'text-delta', id, delta: handBackText(handBack) },
            { type: 'text-end', id },
          ]
    const step: readonly UIMessageChunk[] = [{ type: 'start-step' }, ...text, end, { type: 'finish-step' }]
    if (reason === 'aborted') return [...step, { type: 'abort', reason: 'The turn was stopped.' }, finish]
    if (reason !== 'error') return [...step, finish]
    return [...step, { type: 'error', errorText: handBack?.blockedBy ?? 'The turn ended with an error.' }]
  }

  #metadata(more: Readonly<Record<string, unknown>> = {}) {
    return { turnstep: { ...defined({ turnId: this.#story.turnId }), ...more } }
  }
}
