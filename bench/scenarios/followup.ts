/**
 * How soon a message reaches the provider: of an idle Session, and of one whose Turn is just ending.
 */
import type { Session } from 'turnstep'
import type { Figure } from '../figure.ts'
import type { Scenario } from '../scenario.ts'
import { percentile } from '../statistics.ts'
import { now } from '../world/now.ts'
import { newRun, textOf } from '../world/plan.ts'
import type { Stage } from '../world/stage.ts'

const TARGET_P95_MS = 50
const WARM_UP = 5

export const followup: Scenario = {
  name: 'followup',
  title: "Followup to the provider's request",
  run: (world) =>
    world.stage('followup', async (stage) => {
      await stage.startWorker()
      const trials = WARM_UP + world.pick(20, 100)
      const idle = stage.newSession()
      const idleMs = await repeat(trials, () => ofIdleSession(stage, idle))
      const busy = stage.newSession()
      const queuedMs = await repeat(trials, () => ofBusySession(stage, busy))
      return [
        ...figuresOf('idle Session', idleMs, TARGET_P95_MS),
        ...figuresOf('queued, from the end of the answer before', queuedMs),
      ]
    }),
}

function figuresOf(name: string, values: readonly number[], targetMs?: number): readonly Figure[] {
  return [
    { name: `${name}, p50`, unit: 'ms', value: percentile(values, 0.5) },
    { name: `${name}, p95`, unit: 'ms', value: percentile(values, 0.95), target: targetMs },
  ]
}

/** Results of the trials after the warm-up. */
async function repeat(count: number, trial: () => Promise<number>): Promise<readonly number[]> {
  const results: number[] = []
  for (let index = 0; index < count; index += 1) results.push(await trial())
  return results.slice(WARM_UP)
}

async function ofIdleSession(stage: Stage, session: Session): Promise<number> {
  await session.whenIdle()
  const run = newRun()
  const sentAt = now()
  await session.followup(textOf({ kind: 'steps', run, steps: 0, bytes: 0 }))
  const [request] = await stage.model.awaitRequests(run, 1)
  return (request?.receivedAt ?? Number.NaN) - sentAt
}

/** The first Turn streams for a while; its last chunk is the last that happens before the followup can be taken. */
async function ofBusySession(stage: Stage, session: Session): Promise<number> {
  await session.whenIdle()
  const [first, second] = [newRun(), newRun()]
  await session.followup(textOf({ kind: 'stream', run: first, chunks: 3, gapMs: 50 }))
  await session.followup(textOf({ kind: 'steps', run: second, steps: 0, bytes: 0 }))
  const [request] = await stage.model.awaitRequests(second, 1)
  const endedAt = (await stage.model.chunksSentAt(first)).at(-1) ?? Number.NaN
  return (request?.receivedAt ?? Number.NaN) - endedAt
}
