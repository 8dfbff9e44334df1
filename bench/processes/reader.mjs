/**
 * A reader in another process: follows a Session's live text, and remembers when it saw each chunk.
 */
import { connect, openSqliteStore } from 'turnstep'
import { answerParent, now, settings } from './answer-parent.mjs'

const { address, databasePath } = /** @type {{ address: string, databasePath: string }} */ (settings())
const store = await openSqliteStore({ path: databasePath })
const turnstep = await connect({ address, store })

/** When each chunk was seen, by its number. @type {number[]} */
let seenAt = []
let stop = new AbortController()
/** @type {Promise<void>} */
let following = Promise.resolve()

/** Chunks say their number. @param {string} text */
function see(text) {
  const at = now()
  for (const [, chunk] of text.matchAll(/\[(\d+)\]/g)) seenAt[Number(chunk)] ??= at
}

/** @param {string} id */
async function read(id) {
  const after = (await store.head({ tenant: 'default', session: id })).seq
  for await (const item of turnstep
    .session(id)
    .events({ live: true, follow: true, after, signal: stop.signal })) {
    if (item.kind === 'delta') see(item.delta.text ?? '')
    else if (item.kind === 'event' && item.event.type === 'assistant/message') see(item.event.text)
  }
}

answerParent({
  /** Follows a Session from now on. @param {string} id */
  async follow(id) {
    stop.abort()
    await following
    stop = new AbortController()
    seenAt = []
    following = read(id)
  },
  /** Waits for the end of what streams, and says when each chunk was seen. */
  async takeSeen() {
    await new Promise((resolve) => setTimeout(resolve, 200))
    return seenAt
  },
})
