/**
 * One life of a worker process: it takes over what the one before it left, brings Turns to their points, and dies when
 * the last of them stands.
 *
 * Whoever sees the last Turn come to its point kills the process in the same instant: the tool server right after its
 * commit, the provider after a token, or this process on hearing of it.
 */
import { eventually } from '../support/eventually.ts'
import type { DeathsWorld } from './deaths-world.ts'
import type { MortalTurn } from './mortal-turn.ts'
import type { MortalWorker, WorkerHold, WorkerSettings } from './mortal-worker.ts'
import { type Kind, lastEventAt, type Point, STAGES } from './points.ts'
import type { Answer } from './tool-server.ts'

/** Within the time that Temporal gives a worker for a task: after it, nobody stands in it any more. */
const TASK_MS = 9_000
const TIMEOUT_MS = 90_000

export class Life {
  /** Whether workflow tasks were held for longer than they last: nobody stood in one any more, and no death counts. */
  isVoid = false
  readonly #world: DeathsWorld
  readonly #worker: MortalWorker
  readonly #kind: Kind
  readonly #turns: readonly MortalTurn[]
  #awaited: Set<MortalTurn>
  readonly #answers: Answer[] = []
  /** Turns of which a further attempt stands at the same point, once for each. */
  readonly #doubled: MortalTurn[] = []
  #last: MortalTurn | undefined
  #leftAt = 0
  #state: 'gathering' | 'going on' | 'dead' = 'gathering'
  #resolve: () => void = () => undefined
  #reject: (error: unknown) => void = () => undefined

  constructor(of: {
    readonly world: DeathsWorld
    readonly worker: MortalWorker
    readonly kind: Kind
    /** All that are open; those without a target run to their end. */
    readonly turns: readonly MortalTurn[]
  }) {
    this.#world = of.world
    this.#worker = of.worker
    this.#kind = of.kind
    this.#turns = of.turns
    this.#awaited = new Set(of.turns)
  }

  /** Resolves when the process is dead. `fresh` are the Turns that have not begun. */
  async live(fresh: readonly MortalTurn[]): Promise<void> {
    const { address, taskQueue, database, model, tools, turns } = this.#world
    const died = new Promise<void>((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    const timer = setTimeout(() => this.#reject(new Error(this.#describe())), TIMEOUT_MS)
    this.#world.onStanding = (turn) => this.#arrived(turn)
    tools.onEffect(({ session }, answer) => this.#hadEffect(turns.get(session), answer))
    try {
      await this.#worker.begin(
        {
          ...{ address, taskQueue, database, modelUrl: model.url, toolUrl: tools.url },
          isSplit: this.#kind === 'queue',
          holds: this.#holds(),
        },
        ({ session, isPassing }) => this.#arrived(turns.get(session), isPassing),
      )
      void this.#begin(fresh).catch(this.#reject)
      await died
      await this.#worker.gone
    } finally {
      clearTimeout(timer)
      this.#worker.kill()
    }
    for (const turn of this.#turns) if (turn.target !== undefined) await this.#bury(turn, turn.target)
  }

  async #begin(fresh: readonly MortalTurn[]): Promise<void> {
    const finishing = this.#turns.filter(({ target }) => target === undefined)
    const finished = finishing.map(async (turn) => {
      await this.#world.ended(turn)
      this.#arrived(turn)
    })
    const late = fresh.filter((turn) => isBeforeOpening(turn.target))
    for (const turn of late) this.#awaited.delete(turn)
    // The last one dies by the hand of the tool server, right after its commit.
    this.#last = fresh.find(({ target }) => isHeldEffect(target))
    const early = fresh.filter((turn) => turn !== this.#last && !late.includes(turn))
    await Promise.all([...early.map((turn) => this.#world.begin(turn)), ...finished])
    this.#goOn()
  }

  /**
   * On a machine that is very busy Temporal can give up an attempt that lives, and make another beside it. Both stand
   * then, and both die.
   */
  #arrived(turn: MortalTurn | undefined, isPassing = false): void {
    if (turn === undefined || this.#state === 'dead') return
    if (isPassing && this.#state === 'going on') return
    if (this.#awaited.delete(turn)) this.#goOn()
    else if (!isPassing) this.#doubled.push(turn)
  }

  #goOn(): void {
    const last = this.#last
    if (this.#awaited.size === 1 && last !== undefined && this.#awaited.has(last)) {
      this.#last = undefined
      this.#world.begin(last).catch(this.#reject)
    }
    if (this.#awaited.size > 0 || this.#state === 'dead') return
    if (this.#kind !== 'plain' && this.#state === 'gathering') {
      this.#state = 'going on'
      this.#leaveTogether().catch(this.#reject)
      return
    }
    this.#state = 'dead'
    if (this.#answers.length === 0) this.#kill()
    else void Promise.all(this.#answers.map((answer) => answer())).then(() => this.#kill())
  }

  #kill(): void {
    this.#worker.kill()
    this.isVoid = this.#kind === 'workflow task' && Date.now() - this.#leftAt > TASK_MS
    this.#resolve()
  }

  /** All have come to the stage before: now to their points, into which no worker can be told to lead them one by one. */
  async #leaveTogether(): Promise<void> {
    const standing = this.#turns.filter(({ target }) => target !== undefined)
    this.#awaited = new Set(standing)
    if (this.#kind === 'queue') await this.#worker.drain()
    const late = standing.filter(({ target }) => isBeforeOpening(target))
    this.#leftAt = Date.now()
    await Promise.all(late.map((turn) => this.#world.begin(turn)))
    this.#worker.release()
    if (this.#kind !== 'queue') return
    for (const turn of standing) {
      await eventually(() => this.#world.isQueued(turn, turn.target?.stage ?? 0), TIMEOUT_MS)
      this.#arrived(turn)
    }
  }

  #hadEffect(turn: MortalTurn | undefined, answer: Answer): void {
    const holder = turn?.target?.holder
    if (turn === undefined || holder?.by !== 'tool server') return void answer()
    if (holder.answers) this.#answers.push(answer)
    this.#arrived(turn)
  }

  /** Notes the death, and whether the Turn really stood where it was to die: its log shows it. */
  async #bury(turn: MortalTurn, at: Point): Promise<void> {
    turn.target = undefined
    if (this.isVoid) {
      // How far it came is not known, so that it is not led to another point.
      turn.planned = 0
      return
    }
    const log = (await this.#world.log(turn)).filter(({ type }) => type !== 'attempt/lost')
    const expected = lastEventAt(at, turn.deaths)
    const last = log.at(-1)?.type
    if (last !== expected)
      turn.violations.push(`died at "${at.name}" with ${last} in its log, not ${expected}`)
    turn.deaths.push(at, ...this.#doubled.filter((one) => one === turn).map(() => at))
  }

  #holds(): WorkerSettings['holds'] {
    return Object.fromEntries(
      this.#turns.map(({ id, target }) => [id, target === undefined ? [] : holdsOf(target)]),
    )
  }

  #describe(): string {
    const missing = [...this.#awaited].map(
      ({ id, target, deaths }) =>
        `${id} (${[...deaths, target].map((point) => point?.name ?? 'its end').join(' → ')})`,
    )
    return `These Turns did not come to their point within ${TIMEOUT_MS} ms: ${missing.join(', ')}`
  }
}

/** Where the worker process holds a Turn that is to die at this point. */
function holdsOf({ stage, phase, holder }: Point): readonly WorkerHold[] {
  const { activity = 'none', step = 0 } = STAGES[stage] ?? {}
  const before = STAGES[stage - 1]
  const gathering: readonly WorkerHold[] =
    before === undefined
      ? []
      : [{ activity: before.activity, step: before.step, moment: 'answer', isPassing: true }]
  switch (holder.by) {
    case 'worker': {
      const hold: WorkerHold = { activity, step, moment: holder.moment }
      return phase === 'scheduling' ? [...gathering, hold] : [hold]
    }
    case 'queue':
      return gathering
    case 'tool server':
      // It goes no further than to the answer, which comes in the instant before the death.
      return holder.answers ? [{ activity, step, moment: 'after work', isSilent: true }] : []
    case 'model server':
      return []
  }
}

/** Whether a Turn that is to die there may begin only when the others have gathered. */
function isBeforeOpening(point: Point | undefined): boolean {
  return point?.stage === 0 && (point.phase === 'queued' || point.phase === 'scheduling')
}

function isHeldEffect(point: Point | undefined): boolean {
  return point?.holder.by === 'tool server' && !point.holder.answers
}
