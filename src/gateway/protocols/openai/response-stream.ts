/**
 * A Turn as the events of a streamed response.
 *
 * 1. Each piece that is said is an output item of its own. What an attempt said before it started over ends as
 *    `incomplete`, and is not in the response that the last event has.
 * 2. The last event is `response.completed`, `response.incomplete` (also for a Turn that was stopped, whose status is
 *    `cancelled`) or `response.failed`; a stream without one broke off.
 */
import type { ResponseStreamEvent } from 'openai/resources/responses/responses'
import type { StreamItem } from '../../../client/follow-events.ts'
import type { Channel, TurnPart } from '../turn-part.ts'
import type { TurnChoice } from '../turn-story.ts'
import {
  messageItem,
  type ResponseOfTurn,
  type ResponsePlace,
  reasoningItem,
  responseOf,
  textPart,
} from './response-object.ts'
import { handBackIdOf, SpokenTurn } from './spoken-turn.ts'

/** An event without its number. */
type Unnumbered<T> = T extends { sequence_number: number } ? Omit<T, 'sequence_number'> : never
type NewEvent = Unnumbered<
  | Exclude<ResponseStreamEvent, { response: unknown }>
  | {
      type: `response.${'created' | 'in_progress' | 'completed' | 'incomplete' | 'failed'}`
      response: ResponseOfTurn
      sequence_number: number
    }
>
export type ResponseEvent = NewEvent & { readonly sequence_number: number }

interface Item {
  readonly channel: Channel
  readonly outputIndex: number
  text: string
}

export class ResponseStream {
  readonly #place: ResponsePlace
  readonly #turn: SpokenTurn
  readonly #items = new Map<string, Item>()
  #number = 0

  constructor(place: ResponsePlace, choice: TurnChoice) {
    this.#place = place
    this.#turn = new SpokenTurn(choice)
  }

  get isOver(): boolean {
    return this.#turn.isOver
  }

  /** What every stream begins with. */
  start(): readonly ResponseEvent[] {
    return this.#numbered([{ type: 'response.created', response: responseOf(this.#place, this.#turn) }])
  }

  /** The events of one more item. */
  read(item: StreamItem): readonly ResponseEvent[] {
    if (this.isOver) return []
    const parts = this.#turn.read(item)
    const voids = new Set(parts.flatMap((part) => (part.kind === 'void' ? [part.id] : [])))
    return this.#numbered(parts.flatMap((part) => this.#eventsOf(part, voids)))
  }

  #eventsOf(part: TurnPart, voids: ReadonlySet<string>): readonly NewEvent[] {
    switch (part.kind) {
      case 'turn-start':
        return [{ type: 'response.in_progress', response: responseOf(this.#place, this.#turn) }]
      case 'begin':
        return this.#begin(part.id, part.channel)
      case 'delta':
        return this.#say(part.id, part.delta)
      case 'end':
        return this.#finish(part.id, voids.has(part.id) ? 'incomplete' : 'completed')
      case 'input':
        return this.#turn.lostInput === undefined ? [] : [this.#last()]
      case 'turn-end': {
        const left = this.#turn.spoken.find(({ id }) => id === handBackIdOf(part.event))
        if (left === undefined) return [this.#last()]
        return [
          ...this.#begin(left.id, 'text'),
          ...this.#say(left.id, left.text),
          ...this.#finish(left.id, 'completed'),
          this.#last(),
        ]
      }
      default:
        return []
    }
  }

  #begin(id: string, channel: Channel): readonly NewEvent[] {
    const output_index = this.#items.size
    this.#items.set(id, { channel, outputIndex: output_index, text: '' })
    const isText = channel === 'text'
    const item = isText
      ? messageItem(id, undefined, 'in_progress')
      : reasoningItem(id, undefined, 'in_progress')
    const part = isText ? textPart('') : { type: 'reasoning_text' as const, text: '' }
    return [
      { type: 'response.output_item.added', output_index, item },
      { type: 'response.content_part.added', output_index, content_index: 0, item_id: item.id, part },
    ]
  }

  #say(id: string, delta: string): readonly NewEvent[] {
    const item = this.#items.get(id)
    if (item === undefined) return []
    item.text += delta
    const place = { output_index: item.outputIndex, content_index: 0, delta }
    return item.channel === 'text'
      ? [{ type: 'response.output_text.delta', item_id: `msg_${id}`, logprobs: [], ...place }]
      : [{ type: 'response.reasoning_text.delta', item_id: `rs_${id}`, ...place }]
  }

  #finish(id: string, status: 'completed' | 'incomplete'): readonly NewEvent[] {
    const known = this.#items.get(id)
    if (known === undefined) return []
    const { channel, outputIndex: output_index, text } = known
    const isText = channel === 'text'
    const item = isText ? messageItem(id, text, status) : reasoningItem(id, text, status)
    const place = { item_id: item.id, output_index, content_index: 0 }
    const done: NewEvent = isText
      ? { type: 'response.output_text.done', text, logprobs: [], ...place }
      : { type: 'response.reasoning_text.done', text, ...place }
    const part = isText ? textPart(text) : { type: 'reasoning_text' as const, text }
    return [
      done,
      { type: 'response.content_part.done', part, ...place },
      { type: 'response.output_item.done', output_index, item },
    ]
  }

  #last(): NewEvent {
    const response = responseOf(this.#place, this.#turn)
    switch (response.status) {
      case 'completed':
        return { type: 'response.completed', response }
      case 'failed':
        return { type: 'response.failed', response }
      default:
        return { type: 'response.incomplete', response }
    }
  }

  #numbered(events: readonly NewEvent[]): readonly ResponseEvent[] {
    return events.map((event) => ({ ...event, sequence_number: this.#number++ }))
  }
}
