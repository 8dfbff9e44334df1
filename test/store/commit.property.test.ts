import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Event, NewEvent } from '../../src/core/event.ts'
import type { SessionKey } from '../../src/core/ids.ts'
import { advanceHead, EMPTY_HEAD, type LogHead } from '../../src/core/log-head.ts'
import type { SessionStore } from '../../src/core/ports.ts'
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import {
  assistantMessage,
  inputRefused,
  stepEnd,
  stepStart,
  toolResult,
  turnEnd,
  turnStart,
  userMessage,
} from '../../src/testing/session-store/sample-events.ts'
import { append } from '../../src/testing/session-store/store-under-test.ts'
import { createSqlitePlace } from './support/sqlite-place.ts'

/** Few enough that commits collide, and enough of a Turn that some get through the fence. */
const POOL: readonly NewEvent[] = [
  turnStart(),
  userMessage('t1'),
  stepStart(),
  assistantMessage('hello'),
  toolResult(0, 'ok'),
  stepEnd(),
  stepStart({ step: 2 }),
  stepEnd({ step: 2 }),
  turnEnd(),
  turnStart({ turnId: 't2', turn: 2 }),
  stepStart({ turnId: 't2', turn: 2 }),
  inputRefused('a'),
  inputRefused('b'),
]

/** A stretch of the pool mostly in order, so that whole Steps come about, with something random behind it. */
const eventsOfCommit = fc
  .tuple(
    fc.nat(POOL.length - 1),
    fc.integer({ min: 0, max: 4 }),
    fc.array(fc.constantFrom(...POOL), { maxLength: 2 }),
  )
  .map(([from, length, others]) => [...POOL.slice(from, from + length), ...others])

interface PlannedCommit {
  readonly connection: number
  readonly events: readonly NewEvent[]
}

type Schedule = readonly (readonly PlannedCommit[])[]

/** Rounds of commits; those of one round are under way at once. */
const rounds: fc.Arbitrary<Schedule> = fc.array(
  fc.array(fc.record({ connection: fc.nat(1), events: eventsOfCommit }), { minLength: 1, maxLength: 4 }),
  { minLength: 1, maxLength: 6 },
)

let place: Awaited<ReturnType<typeof createSqlitePlace>>
let stores: readonly SessionStore[] = []
let sessions = 0

function storeOf(connection: number): SessionStore {
  const store = stores[connection]
  if (store === undefined) throw new Error(`No connection ${connection}`)
  return store
}

beforeAll(async () => {
  place = await createSqlitePlace()
  stores = [await openSqliteStore({ path: place.path }), await openSqliteStore({ path: place.path })]
})

afterAll(async () => {
  await Promise.all(stores.map((store) => store.close()))
  await place.remove()
})

function fold(events: readonly Event[]): LogHead {
  return events.reduce<LogHead>((head, event) => {
    const advance = advanceHead(head, event)
    if (advance.kind === 'refused') throw new Error(`The fence let ${event.key} through: ${advance.refusal}`)
    return advance.head
  }, EMPTY_HEAD)
}

describe('commits with colliding keys, in any order, over two connections', () => {
  it('leave a gapless log, each key once, whose fold is the head, and returned what is in it', async () => {
    await fc.assert(
      fc.asyncProperty(rounds, async (schedule) => {
        sessions += 1
        const session: SessionKey = { tenant: 'default', session: `s${sessions}` }
        const returned = await runRounds(session, schedule)
        const log = await storeOf(0).read(session)
        expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1))
        expect(new Set(log.map(({ key }) => key)).size).toBe(log.length)
        expect(await storeOf(1).head(session)).toEqual(fold(log))
        expect(returned).toEqual(returned.map(({ seq }) => log[seq - 1]))
      }),
      { numRuns: 60 },
    )
  }, 60_000)
})

/** Every event that a commit returned. */
async function runRounds(session: SessionKey, schedule: Schedule): Promise<readonly Event[]> {
  const returned: Event[] = []
  for (const round of schedule) {
    const results = await Promise.all(
      round.map(({ connection, events }) => append(storeOf(connection), events, session)),
    )
    returned.push(...results.flatMap((result) => (result.kind === 'committed' ? result.events : [])))
  }
  return returned
}
