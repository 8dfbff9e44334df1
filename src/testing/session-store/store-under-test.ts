/**
 * What the cases of the store suite share: the stores that a test has open, and a clock it can set.
 */
import type { NewEvent } from '../../core/event.ts'
import type { SessionKey } from '../../core/ids.ts'
import type { Clock, CommitResult, SessionStore } from '../../core/ports.ts'
import type { TestApi } from './test-api.ts'

/** Somewhere that a store can be, empty at first: a file, a database. */
export interface StorePlace {
  /** Opens the store that is there, each time as another process would. */
  open(options: { readonly clock: Clock }): Promise<SessionStore>
  remove(): Promise<void>
}

/** Made afresh for each test. */
export interface StoreUnderTest {
  readonly store: SessionStore
  /** A second connection to the same place. */
  readonly other: SessionStore
  /** Sets the time that both go by; 2026-01-01T00:00:00.000Z at first. */
  setTime(iso: string): void
}

export interface Suite extends TestApi {
  /** The stores of the test that is running. */
  under(): StoreUnderTest
}

export const SESSION: SessionKey = { tenant: 'default', session: 'conversation' }

/** Opens the stores before each test, and closes and removes them after it. */
export function openForEach(api: TestApi, createPlace: () => Promise<StorePlace>): () => StoreUnderTest {
  let current: (StoreUnderTest & { readonly place: StorePlace }) | undefined
  const under = () => {
    if (current === undefined) throw new Error('No test is running')
    return current
  }
  api.beforeEach(async () => {
    let now = new Date('2026-01-01T00:00:00.000Z')
    const clock: Clock = { now: () => now }
    const place = await createPlace()
    const [store, other] = [await place.open({ clock }), await place.open({ clock })]
    const setTime = (iso: string): void => {
      now = new Date(iso)
    }
    current = { place, store, other, setTime }
  })
  api.afterEach(async () => {
    const { place, store, other } = under()
    current = undefined
    await Promise.all([store.close(), other.close()])
    await place.remove()
  })
  return under
}

/** Appends, looking at nothing. */
export function append(
  store: SessionStore,
  events: readonly NewEvent[],
  session: SessionKey = SESSION,
): Promise<CommitResult<undefined>> {
  return store.commit(session, { keys: [], decide: () => ({ append: events, answer: undefined }) })
}

/** Begins an attempt of a unit, and says which it is. */
export async function beginAttempt(store: SessionStore, unit: string): Promise<unknown> {
  const result = await store.commit(SESSION, {
    keys: [],
    beginAttempt: unit,
    decide: (view) => ({ append: [], answer: view.attempts }),
  })
  return result.kind === 'committed' ? result.answer : result.refusal
}
