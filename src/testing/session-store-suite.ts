/**
 * The suite that every `SessionStore` passes. Authors of a store run it with their own test runner.
 */
import { describeAppending } from './session-store/append-cases.ts'
import { describeAttempts } from './session-store/attempt-cases.ts'
import { describeDeciding } from './session-store/decide-cases.ts'
import { describeFence } from './session-store/fence-cases.ts'
import { describeLiveText } from './session-store/live-cases.ts'
import { describeReading, describeSessions } from './session-store/read-cases.ts'
import { describeSpills } from './session-store/spill-cases.ts'
import { openForEach, type StorePlace } from './session-store/store-under-test.ts'
import type { TestApi } from './session-store/test-api.ts'
import {
  describeClosing,
  describeContents,
  describeSecret,
  describeWatching,
} from './session-store/upkeep-cases.ts'

export type { StorePlace, TestApi }

/**
 * Declares the suite: `describeSessionStore('my store', createPlace, vitest)`, where `vitest` is
 * `import * as vitest from 'vitest'` or anything with the same five functions.
 *
 * `createPlace` makes an empty place for each test; the suite opens it twice, as two processes would.
 */
export function describeSessionStore(
  name: string,
  createPlace: () => Promise<StorePlace>,
  api: TestApi,
): void {
  api.describe(name, () => {
    const suite = { ...api, under: openForEach(api, createPlace) }
    describeAppending(suite)
    describeDeciding(suite)
    describeFence(suite)
    describeReading(suite)
    describeSessions(suite)
    describeAttempts(suite)
    describeLiveText(suite)
    describeContents(suite)
    describeSpills(suite)
    describeSecret(suite)
    describeWatching(suite)
    describeClosing(suite)
  })
}
