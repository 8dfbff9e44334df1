/**
 * How soon an abort reaches the provider, and the log.
 */
import type { Figure } from '../figure.ts'
import type { Scenario } from '../scenario.ts'
import { percentile } from '../statistics.ts'
import { now } from '../world/now.ts'
import { newRun, textOf } from '../world/plan.ts'
import type { Stage } from '../world/stage.ts'

/** From the server that we start, and from any other. */
const TARGET_P95_MS = { push: 100, poll: 1_000 }
const WARM_UP = 2

interface Trial {
  readonly cutMs: number
  readonly endMs: number
}

export const abort: Scenario = {
  name: 'abort',
  title: 'Abort of a model call that hangs',
  run: async (world) => {
    const count = world.pick(8, 40)
    const pushed = await world.stage('abort', (stage) => repeat(stage, count))
    const polled = await world.withoutPush((server) =>
      world.stage('abort', (stage) => repeat(stage, count), server),
    )
    return [
      ...figuresOf('with push', pushed, TARGET_P95_MS.push),
      ...figuresOf('without push', polled, TARGET_P95_MS.poll),
    ]
  },
}

async function repeat(stage: Stage, count: number): Promise<readonly Trial[]> {
  await stage.startWorker()
  const trials: Trial[] = []
  for (let index = 0; index < WARM_UP + count; index += 1) {
    // Heartbeats have a period: the abort comes at any time in it.
    trials.push(await abortOnce(stage, 300 + ((index * 83) % 500)))
  }
  return trials.slice(WARM_UP)
}

async function abortOnce(stage: Stage, afterMs: number): Promise<Trial> {
  const run = newRun()
  const session = stage.newSession()
  await session.followup(textOf({ kind: 'hang', run }))
  await stage.model.awaitRequests(run, 1)
  await new Promise((resolve) => setTimeout(resolve, afterMs))
  const sentAt = now()
  const { reason } = await session.abort()
  if (reason !== 'aborted') throw new Error(`The Turn was to be aborted and ended ${reason}`)
  const end = (await stage.store.read({ tenant: 'default', session: session.id }, { types: ['turn/end'] }))[0]
  return {
    cutMs: (await stage.model.abortedAt(run)) - sentAt,
    endMs: Date.parse(end?.at ?? '') - sentAt,
  }
}

function figuresOf(name: string, trials: readonly Trial[], targetMs: number): readonly Figure[] {
  const cut = trials.map(({ cutMs }) => cutMs)
  const end = trials.map(({ endMs }) => endMs)
  return [
    { name: `provider sees the cut, ${name}, p50`, unit: 'ms', value: percentile(cut, 0.5) },
    {
      name: `provider sees the cut, ${name}, p95`,
      unit: 'ms',
      value: percentile(cut, 0.95),
      target: targetMs,
    },
    { name: `turn/end in the log, ${name}, p50`, unit: 'ms', value: percentile(end, 0.5) },
    { name: `turn/end in the log, ${name}, p95`, unit: 'ms', value: percentile(end, 0.95) },
  ]
}
