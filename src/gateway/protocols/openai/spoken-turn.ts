/**
 * What a Turn said to whoever asked, gathered: the texts of its Steps that stand, and its hand-back.
 */
import type { StreamItem } from '../../../client/follow-events.ts'
import type { TurnEnd } from '../../../core/event.ts'
import { handBackText } from '../../../core/hand-back.ts'
import type { Channel, TurnPart } from '../turn-part.ts'
import { type TurnChoice, TurnStory } from '../turn-story.ts'

export interface Spoken {
  readonly id: string
  readonly channel: Channel
  readonly text: string
}

export class SpokenTurn {
  readonly #story: TurnStory
  #spoken: Spoken[] = []
  #beganAt: string | undefined
  #turnId: string | undefined
  #agent: string | undefined
  #end: TurnEnd | undefined
  #fate: Extract<TurnPart, { kind: 'input' }> | undefined

  constructor(choice: TurnChoice) {
    this.#story = new TurnStory(choice)
  }

  get isOver(): boolean {
    return this.#story.isOver
  }

  get turnId(): string | undefined {
    return this.#turnId
  }

  /** Undefined until it has begun. */
  get agent(): string | undefined {
    return this.#agent
  }

  /** ISO 8601. Undefined until it has begun. */
  get beganAt(): string | undefined {
    return this.#beganAt
  }

  get end(): TurnEnd | undefined {
    return this.#end
  }

  /** Set when the input was withdrawn or refused, so that no Turn is to come. */
  get lostInput(): Extract<TurnPart, { kind: 'input' }> | undefined {
    return this.#turnId === undefined ? this.#fate : undefined
  }

  /** In order, the hand-back last. */
  get spoken(): readonly Spoken[] {
    return this.#spoken
  }

  textOf(channel: Channel): string {
    return this.#spoken
      .filter((one) => one.channel === channel)
      .map(({ text }) => text)
      .join('\n\n')
  }

  /** Takes in one more item; returns what it told. */
  read(item: StreamItem): readonly TurnPart[] {
    const parts = this.#story.read(item)
    for (const part of parts) this.#hear(part, item)
    return parts
  }

  #hear(part: TurnPart, item: StreamItem): void {
    switch (part.kind) {
      case 'turn-start':
        this.#turnId = part.turnId
        this.#agent = part.agent
        if (item.kind === 'event') this.#beganAt = item.event.at
        break
      case 'input':
        this.#fate = part
        break
      case 'begin':
        this.#spoken.push({ id: part.id, channel: part.channel, text: '' })
        break
      case 'delta':
        this.#spoken = this.#spoken.map((one) =>
          one.id === part.id ? { ...one, text: one.text + part.delta } : one,
        )
        break
      case 'void':
        this.#spoken = this.#spoken.filter((one) => one.id !== part.id)
        break
      case 'turn-end':
        this.#end = part.event
        if (part.event.handBack !== undefined && part.event.reason !== 'completed')
          this.#spoken.push({
            id: handBackIdOf(part.event),
            channel: 'text',
            text: handBackText(part.event.handBack),
          })
        break
      default:
        break
    }
  }
}

/** Id of what a Turn that did not complete leaves. */
export function handBackIdOf({ turn }: TurnEnd): string {
  return `h${turn}`
}
