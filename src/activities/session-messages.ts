/**
 * The messages of Sessions, projected from their logs and remembered per process.
 *
 * A cache inside the activity, never around it: what is remembered only saves reading, and is read on from
 * where the log was left.
 */
import type { MessageFold } from '../core/derive-messages.ts'
import { foldMessages, messagesOf, newMessageFold } from '../core/derive-messages.ts'
import type { SessionKey } from '../core/ids.ts'
import { workflowIdOf } from '../core/ids.ts'
import type { Message } from '../core/message.ts'
import type { SessionStore } from '../core/ports.ts'
import { repairTranscript } from '../core/repair-transcript.ts'

const MAX_SESSIONS = 200

export class SessionMessages {
  readonly #store: SessionStore
  /** In order of last use. */
  readonly #folds = new Map<string, MessageFold>()

  constructor(store: SessionStore) {
    this.#store = store
  }

  /** The messages up to `seq`, valid for a strict provider. */
  async upTo(key: SessionKey, seq: number): Promise<readonly Message[]> {
    const id = workflowIdOf(key)
    const known = this.#folds.get(id)
    const from = known === undefined || known.seq > seq ? newMessageFold() : known
    const events = await this.#store.read(key, { afterSeq: from.seq })
    const fold = events.reduce(foldMessages, from)
    this.#folds.delete(id)
    this.#folds.set(id, fold)
    for (const oldest of this.#folds.keys()) {
      if (this.#folds.size <= MAX_SESSIONS) break
      this.#folds.delete(oldest)
    }
    return repairTranscript(messagesOf(fold))
  }
}
