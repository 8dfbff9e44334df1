/**
 * The experiment: lives of a worker process, one after the other, until enough Turns have died; then a last one, in
 * which all Turns come to their end and are judged.
 */
import type { ToolEffect } from '../../src/core/receipt.ts'
import { DeathsWorld } from './deaths-world.ts'
import { type Card, Deck } from './deck.ts'
import { Life } from './life.ts'
import { judge, type MortalTurn } from './mortal-turn.ts'
import { MortalWorker } from './mortal-worker.ts'
import { canFollow, type Kind, kindOf, POINTS, type Point } from './points.ts'
import { SeededRandom } from './seeded-random.ts'

export interface DeathsOptions {
  /** Of a Temporal server. */
  readonly address: string
  /** How many Turns are to die at least. A pass over the points is always finished. */
  readonly deaths: number
  readonly seed: number
  /** Hears of each life: how many Turns died in it, and how many in all. */
  readonly log?: (line: string) => void
}

/** A Turn that is over. */
export interface BuriedTurn {
  readonly id: string
  readonly effect: ToolEffect
  readonly deaths: readonly Point[]
  readonly effects: number
  readonly isOutcomeUnknown: boolean
  readonly violations: readonly string[]
}

export interface DeathsReport {
  readonly turns: readonly BuriedTurn[]
  /** Worker processes that were killed. */
  readonly processes: number
  /** Passes over all points; see `Deck`. */
  readonly passes: number
  /** Requests that a provider would have refused. */
  readonly refused: readonly string[]
}

/** Turns that a process has at once. Their tasks must all be open side by side. */
const SEATS: Readonly<Record<Kind, number>> = { plain: 36, queue: 36, 'workflow task': 16 }
/** Lives that may come to nothing because the machine is too busy. */
const MAX_VOID = 5
/** About what a pass over the points comes to, with those that die again. */
const DEATHS_A_PASS = 65
const PASSES_AT_ONCE = 3

export async function runDeaths(options: DeathsOptions): Promise<DeathsReport> {
  const world = await DeathsWorld.open(options.address)
  const experiment = new Experiment(world, options)
  try {
    return await experiment.run()
  } finally {
    await experiment.close()
  }
}

class Experiment {
  readonly #world: DeathsWorld
  readonly #options: DeathsOptions
  readonly #random: SeededRandom
  readonly #deck: Deck
  readonly #buried: BuriedTurn[] = []
  /** How often a point was chosen for a further death, beside the deck. */
  readonly #chosen = new Map<Point, number>()
  #open: readonly MortalTurn[] = []
  #standby = new MortalWorker()
  #processes = 0
  #voids = 0

  constructor(world: DeathsWorld, options: DeathsOptions) {
    this.#world = world
    this.#options = options
    this.#random = new SeededRandom(options.seed)
    this.#deck = new Deck(this.#random)
  }

  async run(): Promise<DeathsReport> {
    for (;;) {
      this.#deal()
      const kind = this.#deck.fullest
      if (kind === undefined) break
      await this.#live(kind)
    }
    await this.#live('last')
    return {
      turns: this.#buried,
      processes: this.#processes,
      passes: this.#deck.passes,
      refused: this.#world.model.takeViolations().map((violation) => JSON.stringify(violation)),
    }
  }

  async close(): Promise<void> {
    this.#standby.kill()
    await this.#standby.gone
    await this.#world.close()
  }

  /** Adds passes when all cards are played and more are to die. */
  #deal(): void {
    const missing = this.#options.deaths - this.#died
    if (this.#deck.fullest !== undefined || missing <= 0) return
    const passes = Math.min(PASSES_AT_ONCE, Math.ceil(missing / DEATHS_A_PASS))
    for (let pass = 0; pass < passes; pass += 1) this.#deck.addPass()
  }

  async #live(next: Kind | 'last'): Promise<void> {
    const kind = next === 'last' ? 'plain' : next
    for (const turn of this.#open) turn.target = next === 'last' ? undefined : this.#nextTarget(turn, kind)
    const dying = this.#open.filter(({ target }) => target !== undefined).length
    const cards = this.#deck.take(kind, SEATS[kind] - dying)
    const fresh = cards.map((card) => this.#turnOf(card))
    const turns = [...this.#open, ...fresh]
    const targets = turns.filter(({ target }) => target !== undefined)
    const finishing = turns.filter(({ target }) => target === undefined)
    const startedAt = Date.now()
    const life = new Life({ world: this.#world, worker: this.#standby, kind, turns })
    // The next process loads its code in the meantime.
    this.#standby = new MortalWorker()
    await life.live(fresh)
    if (life.isVoid) {
      this.#voids += 1
      if (this.#voids > MAX_VOID) throw new Error('The machine is too busy: workflow tasks ran out of time.')
      this.#deck.putBack(kind, cards)
    }
    for (const turn of finishing) await this.#bury(turn)
    this.#open = targets
    if (targets.length === 0) return
    this.#processes += 1
    const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1)
    this.#options.log?.(
      `process ${this.#processes} died under ${targets.length} Turns (${kind}, ${seconds} s), ${this.#died} in all`,
    )
  }

  /** A point of this kind at which the Turn can die once more, if it is to, and that is not hit too often. */
  #nextTarget(turn: MortalTurn, kind: Kind): Point | undefined {
    if (turn.deaths.length >= turn.planned) return undefined
    const next = this.#random.pick(
      POINTS.filter(
        (point) =>
          kindOf(point) === kind &&
          canFollow(turn.deaths, point, turn.effect) &&
          this.#timesChosen(point) < 2 * this.#deck.passes,
      ),
    )
    if (next !== undefined) this.#chosen.set(next, this.#timesChosen(next) + 1)
    return next
  }

  #timesChosen(point: Point): number {
    return this.#chosen.get(point) ?? 0
  }

  /** Of three Turns, about one dies twice and one three times. */
  #turnOf({ point, effect }: Card): MortalTurn {
    const turn: MortalTurn = {
      id: crypto.randomUUID(),
      effect,
      deaths: [],
      planned: 1 + Math.floor(this.#random.next() * 3),
      target: point,
      requests: [],
      violations: [],
    }
    this.#world.turns.set(turn.id, turn)
    return turn
  }

  async #bury(turn: MortalTurn): Promise<void> {
    const { id, effect, deaths, requests } = turn
    const log = await this.#world.log(turn)
    const arrivals = this.#world.tools.arrivalsOf(id)
    this.#buried.push({
      ...{ id, effect, deaths },
      effects: arrivals.length,
      isOutcomeUnknown: log.some((event) => event.type === 'tool/result' && event.kind === 'outcome-unknown'),
      violations: [...turn.violations, ...judge(turn, { log, arrivals, requests })],
    })
    this.#world.turns.delete(id)
  }

  get #died(): number {
    return [...this.#open, ...this.#buried].reduce((sum, { deaths }) => sum + deaths.length, 0)
  }
}
