/**
 * Many Sessions at once: throughput and memory, and what waiting for all their results costs the client.
 */
import type { Scenario } from '../scenario.ts'
import type { Child } from '../world/child.ts'
import { now } from '../world/now.ts'
import { newRun, textOf } from '../world/plan.ts'
import type { Stage } from '../world/stage.ts'

const STEPS = 10
const BYTES = 5_000
const TARGET_PER_SECOND = 71

/** How the client learns that a Turn is over: from the provider, which costs it nothing, or by `result()` from the start. */
type Wait = 'by-provider' | 'by-result'

interface Crowd {
  readonly stepsPerSecond: number
  /** Milliseconds of CPU a Step. */
  readonly workerCpuMs: number
  readonly serverCpuMs: number
  readonly clientCpuMs: number
}

export const sessions: Scenario = {
  name: 'sessions',
  title: 'Sessions at once, 10 Steps of 5 kB each',
  run: (world) =>
    world.stage('sessions', async (stage) => {
      const worker = await stage.startWorker()
      await takeTurn(stage, 'by-provider')
      const count = world.pick(20, 50)
      const crowd = await measure(stage, worker, { count, wait: 'by-provider' })
      const waiting = await measure(stage, worker, { count, wait: 'by-result' })
      return [
        {
          name: `Steps a second, ${count} Sessions`,
          unit: '/s',
          value: crowd.stepsPerSecond,
          target: TARGET_PER_SECOND,
          isMoreBetter: true,
        },
        { name: 'worker CPU a Step', unit: 'ms', value: crowd.workerCpuMs },
        { name: 'server CPU a Step', unit: 'ms', value: crowd.serverCpuMs },
        { name: 'client CPU a Step', unit: 'ms', value: crowd.clientCpuMs },
        { name: 'client CPU a Step, all results awaited', unit: 'ms', value: waiting.clientCpuMs },
        { name: 'largest size of the worker', unit: 'MB', value: (await worker.usage()).peakRssMb },
        {
          name: 'largest size of the server',
          unit: 'MB',
          value: stage.server.usage()?.peakRssMb ?? Number.NaN,
        },
      ]
    }),
}

async function measure(
  stage: Stage,
  worker: Child,
  { count, wait }: { readonly count: number; readonly wait: Wait },
): Promise<Crowd> {
  const before = await cpuMs(stage, worker)
  const startedAt = now()
  await Promise.all(Array.from({ length: count }, () => takeTurn(stage, wait)))
  const seconds = (now() - startedAt) / 1_000
  const after = await cpuMs(stage, worker)
  const steps = count * STEPS
  return {
    stepsPerSecond: steps / seconds,
    workerCpuMs: (after.worker - before.worker) / steps,
    serverCpuMs: (after.server - before.server) / steps,
    clientCpuMs: (after.client - before.client) / steps,
  }
}

async function cpuMs(stage: Stage, worker: Child) {
  const { user, system } = process.cpuUsage()
  return {
    worker: (await worker.usage()).cpuMs,
    server: stage.server.usage()?.cpuMs ?? Number.NaN,
    client: (user + system) / 1_000,
  }
}

async function takeTurn(stage: Stage, wait: Wait): Promise<void> {
  const run = newRun()
  const session = stage.newSession()
  const { inputId } = await session.followup(textOf({ kind: 'steps', run, steps: STEPS, bytes: BYTES }))
  if (wait === 'by-provider') await stage.model.awaitRequests(run, STEPS + 1)
  const result = await session.turn(inputId).result()
  if (result.fate !== 'claimed' || result.reason !== 'completed')
    throw new Error(`The Turn of the benchmark did not complete: ${JSON.stringify(result)}`)
}
