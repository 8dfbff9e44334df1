/**
 * Which new Turn dies where. Each pass over the points deals those of the tool call with each effect, and the others,
 * of which the tool knows nothing, with one effect in turn: after three passes each point was dealt with each.
 */
import type { ToolEffect } from '../../src/core/receipt.ts'
import { EFFECTS, isOfTool, KINDS, type Kind, kindOf, POINTS, type Point } from './points.ts'
import type { SeededRandom } from './seeded-random.ts'

/** The first death of a new Turn. */
export interface Card {
  readonly point: Point
  readonly effect: ToolEffect
}

export class Deck {
  readonly #random: SeededRandom
  readonly #stacks = new Map<Kind, Card[]>(KINDS.map((kind) => [kind, []]))
  #passes = 0

  constructor(random: SeededRandom) {
    this.#random = random
  }

  get passes(): number {
    return this.#passes
  }

  addPass(): void {
    const cards = POINTS.flatMap((point, index): readonly Card[] =>
      isOfTool(point)
        ? EFFECTS.map((effect) => ({ point, effect }))
        : [{ point, effect: effectAt(index + this.#passes) }],
    )
    this.#passes += 1
    for (const card of this.#random.shuffled(cards)) this.#stacks.get(kindOf(card.point))?.push(card)
  }

  /** The kind with most cards; undefined when there are none. */
  get fullest(): Kind | undefined {
    const [fullest] = [...this.#stacks].sort(([, a], [, b]) => b.length - a.length)
    return fullest !== undefined && fullest[1].length > 0 ? fullest[0] : undefined
  }

  putBack(kind: Kind, cards: readonly Card[]): void {
    this.#stacks.get(kind)?.push(...cards)
  }

  take(kind: Kind, count: number): readonly Card[] {
    return this.#stacks.get(kind)?.splice(0, Math.max(0, count)) ?? []
  }
}

function effectAt(index: number): ToolEffect {
  return EFFECTS[index % EFFECTS.length] ?? 'once'
}
