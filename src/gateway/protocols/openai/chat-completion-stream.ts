/**
 * A Turn as the chunks of a Chat Completion.
 *
 * 1. The concatenated deltas are the answer: the texts of the Steps, a blank line between them, the hand-back last.
 * 2. Nothing that was sent can be taken back here. When an attempt starts over, nothing is sent while the next one
 *    repeats what was; when it says something else the stream fails with `stream_restarted`. The Turn goes on, and the
 *    same request with its `Idempotency-Key` brings the whole answer.
 */
import type { StreamItem } from '../../../client/follow-events.ts'
import type { TurnEnd } from '../../../core/event.ts'
import { handBackText } from '../../../core/hand-back.ts'
import type { TurnPart } from '../turn-part.ts'
import type { TurnChoice } from '../turn-story.ts'
import {
  type ChunkOfTurn,
  type CompletionPlace,
  completionUsage,
  finishOf,
  noteOf,
  secondsOf,
} from './chat-completion.ts'
import { type OpenAiError, openAiError } from './openai-error.ts'
import { SpokenTurn } from './spoken-turn.ts'

type Delta = ChunkOfTurn['choices'][number]['delta'] & { readonly reasoning_content?: string }

export class ChatCompletionStream {
  readonly #place: CompletionPlace
  readonly #includeUsage: boolean
  readonly #turn: SpokenTurn
  /** Text of the message that is being told: what was sent of it, and what this attempt has said. */
  #sent = ''
  #heard = ''
  /** Whether a message before it was sent. */
  #hasText = false
  #hasFailed = false

  constructor(place: CompletionPlace, choice: TurnChoice, options: { readonly includeUsage: boolean }) {
    this.#place = place
    this.#turn = new SpokenTurn(choice)
    this.#includeUsage = options.includeUsage
  }

  get isOver(): boolean {
    return this.#hasFailed || this.#turn.isOver
  }

  /** The chunks of one more item, an error last. */
  read(item: StreamItem): readonly (ChunkOfTurn | OpenAiError)[] {
    if (this.isOver) return []
    const chunks: (ChunkOfTurn | OpenAiError)[] = []
    for (const part of this.#turn.read(item)) {
      chunks.push(...this.#chunksOf(part))
      if (this.#hasFailed) break
    }
    return chunks
  }

  #chunksOf(part: TurnPart): readonly (ChunkOfTurn | OpenAiError)[] {
    switch (part.kind) {
      case 'turn-start':
        return [this.#chunk({ role: 'assistant', content: '' })]
      case 'delta':
        return part.channel === 'text'
          ? this.#say(part.delta)
          : [this.#chunk({ reasoning_content: part.delta })]
      case 'void':
        if (part.channel === 'text') this.#heard = ''
        return []
      case 'step-start':
        this.#hasText ||= this.#sent !== ''
        this.#sent = ''
        this.#heard = ''
        return []
      case 'message':
        return this.#heard.length < this.#sent.length ? this.#fail() : []
      case 'input':
        return this.#turn.lostInput === undefined
          ? []
          : [
              openAiError(
                'invalid_request_error',
                `The message was not taken: ${part.reason ?? part.fate}.`,
                part.fate,
              ),
            ]
      case 'turn-end':
        return this.#end(part.event)
      default:
        return []
    }
  }

  #say(delta: string): readonly (ChunkOfTurn | OpenAiError)[] {
    this.#heard += delta
    const isSame = this.#heard.startsWith(this.#sent) || this.#sent.startsWith(this.#heard)
    if (!isSame) return this.#fail()
    const rest = this.#heard.slice(this.#sent.length)
    if (rest === '') return []
    const separator = this.#sent === '' && this.#hasText ? '\n\n' : ''
    this.#sent = this.#heard
    return [this.#chunk({ content: separator + rest })]
  }

  #fail(): readonly OpenAiError[] {
    this.#hasFailed = true
    return [
      openAiError(
        'server_error',
        'The model started over with another text. The turn goes on; repeat the request with its Idempotency-Key to get the whole answer.',
        'stream_restarted',
      ),
    ]
  }

  #end(end: TurnEnd): readonly ChunkOfTurn[] {
    const { handBack, reason } = end
    const text = reason === 'completed' || handBack === undefined ? '' : handBackText(handBack)
    const separator = this.#hasText || this.#sent !== '' ? '\n\n' : ''
    const left = text === '' ? [] : [this.#chunk({ content: separator + text })]
    const finish = this.#chunk({}, finishOf(reason))
    const usage = this.#includeUsage
      ? [{ ...this.#chunk({}), choices: [], usage: completionUsage(end.usage) }]
      : []
    return [...left, { ...finish, turnstep: noteOf(this.#place.session, end) }, ...usage]
  }

  #chunk(delta: Delta, finish: ReturnType<typeof finishOf> | null = null): ChunkOfTurn {
    return {
      id: this.#place.id,
      object: 'chat.completion.chunk',
      created: secondsOf(this.#turn.beganAt ?? ''),
      model: this.#place.model,
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...(this.#includeUsage ? { usage: null } : {}),
    }
  }
}
