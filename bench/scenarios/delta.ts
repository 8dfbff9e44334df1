/**
 * How soon a piece of the provider's text reaches a reader in another process.
 */
import type { Scenario } from '../scenario.ts'
import { percentile } from '../statistics.ts'
import { newRun, textOf } from '../world/plan.ts'

const TARGET_P95_MS = 100
/** What the spike reached. */
const SPIKE_P95_MS = 20

/** No multiple of the times at which anything here is gathered or polled. */
const GAP_MS = 37

export const delta: Scenario = {
  name: 'delta',
  title: "The provider's delta to a reader in another process",
  run: (world) =>
    world.stage('delta', async (stage) => {
      await stage.startWorker()
      const reader = await stage.startProcess('processes/reader.mjs')
      const session = stage.newSession()
      const latencies: number[] = []
      for (let trial = 0; trial < world.pick(2, 5); trial += 1) {
        const run = newRun()
        await reader.call('follow', session.id)
        const { inputId } = await session.followup(
          textOf({ kind: 'stream', run, chunks: world.pick(50, 100), gapMs: GAP_MS }),
        )
        await session.turn(inputId).result()
        const sentAt = await world.model.chunksSentAt(run)
        const seenAt = await reader.call<readonly number[]>('takeSeen')
        latencies.push(...sentAt.map((at, chunk) => (seenAt[chunk] ?? Number.NaN) - at))
      }
      return [
        { name: 'delta, p50', unit: 'ms', value: percentile(latencies, 0.5) },
        { name: 'delta, p95', unit: 'ms', value: percentile(latencies, 0.95), target: TARGET_P95_MS },
        {
          name: 'delta, p95 by the spike',
          unit: '×',
          value: percentile(latencies, 0.95) / SPIKE_P95_MS,
        },
      ]
    }),
}
