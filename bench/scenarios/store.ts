/**
 * What the store costs: a commit, and what a model call reads.
 */
import { join } from 'node:path'
import type { Scenario } from '../scenario.ts'
import { percentile } from '../statistics.ts'
import { Child } from '../world/child.ts'

interface Times {
  /** Microseconds each. */
  readonly commits: readonly number[]
  readonly warmReads: readonly number[]
  readonly coldReads: readonly number[]
}

export const store: Scenario = {
  name: 'store',
  title: 'The store: commits of 3 events, and the context of a Turn of 100 Steps',
  run: async (world) => {
    const child = await Child.start('processes/store.mjs', { databasePath: join(world.folder, 'store.db') })
    try {
      const { commits, warmReads, coldReads } = await child.call<Times>('measure', world.pick(300, 2_000))
      return [
        { name: 'commit, p50', unit: 'µs', value: percentile(commits, 0.5) },
        { name: 'commit, p95', unit: 'µs', value: percentile(commits, 0.95) },
        { name: 'warm read of the context, p50', unit: 'µs', value: percentile(warmReads, 0.5), target: 90 },
        { name: 'cold read of the context, p50', unit: 'µs', value: percentile(coldReads, 0.5) },
      ]
    } finally {
      await child.stop()
    }
  },
}
