/**
 * A process that appends to a store: `append-in-child.ts PATH NAME COUNT`. It says `ready`, waits for any message,
 * opens the store, and makes COUNT commits of two events each: one of its own, and one that every process of the
 * same COUNT tries to append.
 */
import { once } from 'node:events'
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts'
import { inputRefused } from '../../../src/testing/session-store/sample-events.ts'
import { append } from '../../../src/testing/session-store/store-under-test.ts'

const [path = '', name = '', count = '0'] = process.argv.slice(2)

process.send?.('ready')
await once(process, 'message')
const store = await openSqliteStore({ path })
for (let index = 0; index < Number(count); index += 1) {
  await append(store, [inputRefused(`${name}-${index}`), inputRefused(`shared-${index}`)])
}
await store.close()
process.disconnect()
