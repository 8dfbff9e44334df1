import { createInterface } from 'node:readline'
import { EXIT } from '../exit-code.ts'
import { onInterrupt } from '../interrupts.ts'
import { settle } from '../stack/settle.ts'
import type { Conversation } from './conversation.ts'

/** Lines are sent as they are read, so that they are safe; at most so many wait at once. */
const MAX_WAITING = 100

export interface LineConversation {
  readonly conversation: Conversation
  readonly input: NodeJS.ReadableStream
  readonly note: (line: string) => void
  /** Rejects when nothing can go on here. */
  readonly failure: Promise<never>
}

/**
 * Reads lines until the end of the input: each is a followup, in order. Then waits until the Session is idle, and
 * returns the code of the last Turn's end. A signal leaves at once: what was sent goes on with the next start.
 */
export async function converseLines({
  conversation,
  input,
  note,
  failure,
}: LineConversation): Promise<number> {
  await conversation.join()
  const left = new AbortController()
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })
  const ignore = onInterrupt((kind, count) => {
    if (count > 1) process.exit(EXIT.aborted)
    left.abort(kind)
    lines.close()
  })
  const following = conversation.follow()
  const told = readAll(conversation, lines, left.signal)
  told.catch(() => undefined)
  try {
    await Promise.race([told, following.then(() => told), failure])
    return conversation.code
  } catch (error) {
    if (!left.signal.aborted) throw error
    if (conversation.isRunning) note('Leaving. What is still open goes on with the next start.')
    return left.signal.reason === 'terminate' ? EXIT.terminated : EXIT.aborted
  } finally {
    ignore()
    conversation.stop()
    await following.catch(() => undefined)
  }
}

async function readAll(
  conversation: Conversation,
  lines: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<void> {
  const waiting: string[] = []
  const settleFirst = async (): Promise<void> => {
    const inputId = waiting.shift()
    if (inputId !== undefined) await conversation.session.turn(inputId).result({ signal })
  }
  for await (const line of lines) {
    signal.throwIfAborted()
    if (line.trim() === '') continue
    waiting.push(await conversation.send(line))
    if (waiting.length > MAX_WAITING) await settleFirst()
  }
  signal.throwIfAborted()
  while (waiting.length > 0) await settleFirst()
  await settle(conversation.session)
  await conversation.session.whenIdle({ signal })
  await conversation.catchUp()
}
