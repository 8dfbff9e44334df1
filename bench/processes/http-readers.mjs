/**
 * Readers over HTTP, in one process: each follows a Session's events and live text on a connection of its own, and
 * remembers when it saw each chunk.
 */
import { get } from 'node:http'
import { answerParent, now } from './answer-parent.mjs'

/** For each reader, when each chunk was seen, by its number. @type {number[][]} */
let seenAt = []
/** @type {(() => void)[]} */
let closers = []

/** Opens a stream; resolves with its first bytes. @param {string} url */
function open(url) {
  /** @type {number[]} */
  const seen = []
  seenAt.push(seen)
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false, headers: { accept: 'text/event-stream' } }, (response) => {
      response.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
        const at = now()
        // Chunks say their number.
        for (const [, chunk] of text.matchAll(/\[(\d+)\]/g)) seen[Number(chunk)] ??= at
        resolve(undefined)
      })
    })
    // Destroying it is how a reader leaves.
    request.on('error', reject)
    closers.push(() => request.destroy())
  })
}

answerParent({
  /** Lets so many readers follow from now on. @param {{ url: string, count: number }} wanted */
  async follow({ url, count }) {
    for (const close of closers) close()
    seenAt = []
    closers = []
    await Promise.all(Array.from({ length: count }, () => open(url)))
  },
  /** Waits for the end of what streams, and says when each reader saw each chunk. */
  async takeSeen() {
    await new Promise((resolve) => setTimeout(resolve, 300))
    return seenAt
  },
})
