/**
 * How soon a piece of the provider's text reaches readers over HTTP, and what they cost the gateway.
 */
import type { Figure } from '../figure.ts'
import type { Scenario } from '../scenario.ts'
import { percentile } from '../statistics.ts'
import type { Child } from '../world/child.ts'
import { newRun, textOf } from '../world/plan.ts'
import type { Stage } from '../world/stage.ts'
import type { World } from '../world/world.ts'

const TARGET_P95_MS = 100

/** No multiple of the times at which anything here is gathered or polled. */
const GAP_MS = 37

export const streams: Scenario = {
  name: 'streams',
  title: "The provider's delta to readers over HTTP, worker and gateway apart",
  run: (world) =>
    world.stage('streams', async (stage) => {
      await stage.startWorker()
      const gateway = await stage.startProcess('processes/gateway.mjs')
      const readers = await stage.startProcess('processes/http-readers.mjs')
      const figures: Figure[] = []
      for (const count of [1, 200])
        figures.push(...(await measure({ world, stage, gateway, readers, count })))
      return figures
    }),
}

interface Measured {
  readonly world: World
  readonly stage: Stage
  readonly gateway: Child
  readonly readers: Child
  readonly count: number
}

async function measure({ world, stage, gateway, readers, count }: Measured): Promise<readonly Figure[]> {
  const latencies: number[] = []
  const before = await gateway.call<number>('memory')
  const cpuBefore = (await gateway.usage()).cpuMs
  const chunks = world.pick(50, 100)
  const trials = world.pick(2, 5)
  for (let trial = 0; trial < trials; trial += 1) {
    const run = newRun()
    const session = await stage.client.createSession(crypto.randomUUID())
    const url = `${await gateway.call<string>('url')}/v1/sessions/${session.id}/events?live=1`
    await readers.call('follow', { url, count })
    const { inputId } = await session.followup(textOf({ kind: 'stream', run, chunks, gapMs: GAP_MS }))
    await session.turn(inputId).result()
    const sentAt = await world.model.chunksSentAt(run)
    for (const seenAt of await readers.call<readonly (readonly number[])[]>('takeSeen'))
      latencies.push(...sentAt.map((at, chunk) => (seenAt[chunk] ?? Number.NaN) - at))
  }
  const growth = (await gateway.call<number>('memory')) - before
  const cpuMs = (await gateway.usage()).cpuMs - cpuBefore
  const name = count === 1 ? '1 reader' : `${count} readers`
  return [
    { name: `${name}, p50`, unit: 'ms', value: percentile(latencies, 0.5) },
    { name: `${name}, p95`, unit: 'ms', value: percentile(latencies, 0.95), target: TARGET_P95_MS },
    { name: `${name}, growth of the gateway`, unit: 'MB', value: growth },
    { name: `${name}, CPU of the gateway by delta`, unit: 'ms', value: cpuMs / (trials * chunks) },
  ]
}
