import { setImmediate as nextRound } from 'node:timers/promises'
import type { SessionKey } from '../core/ids.ts'
import type { SessionStore } from '../core/ports.ts'
import type { SpillReader, SpillWriter } from '../core/spill.ts'
import { patiently } from './commit-result.ts'

/** The spills of a Session as its tools read them, waiting for an absent store and letting others go first. */
export function sessionSpills(store: SessionStore, key: SessionKey): SpillReader {
  return {
    find: (id) => patiently(() => store.spill(key, id)),
    async chunk(id, query) {
      // An embedded store answers at once: reading all of a large spill would stop everything else.
      await nextRound()
      return patiently(() => store.spillChunk(key, id, query))
    },
  }
}

/** Begins a spill whose writing waits for an absent store, so that the output of a tool that has run is not lost. */
export async function beginSpillPatiently(
  store: SessionStore,
  key: SessionKey,
  options: { readonly quotaBytes: number },
): Promise<SpillWriter> {
  const writer = await patiently(() => store.beginSpill(key, options))
  return {
    write: (text) => patiently(() => writer.write(text)),
    finish: () => patiently(() => writer.finish()),
    // What is not dropped is collected later.
    drop: () => writer.drop().catch(() => undefined),
  }
}
