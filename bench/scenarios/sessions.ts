/**
 * Many Sessions at once: throughput and memory.
 */
import type { Scenario } from '../scenario.ts'
import { now } from '../world/now.ts'
import { newRun, textOf } from '../world/plan.ts'
import type { Stage } from '../world/stage.ts'

const STEPS = 10
const BYTES = 5_000
const TARGET_PER_SECOND = 71

export const sessions: Scenario = {
  name: 'sessions',
  title: 'Sessions at once, 10 Steps of 5 kB each',
  run: (world) =>
    world.stage('sessions', async (stage) => {
      const worker = await stage.startWorker()
      await takeTurn(stage)
      const count = world.pick(20, 50)
      const before = { worker: await worker.usage(), server: stage.server.usage() }
      const startedAt = now()
      await Promise.all(Array.from({ length: count }, () => takeTurn(stage)))
      const seconds = (now() - startedAt) / 1_000
      const after = { worker: await worker.usage(), server: stage.server.usage() }
      const steps = count * STEPS
      return [
        {
          name: `Steps a second, ${count} Sessions`,
          unit: '/s',
          value: steps / seconds,
          target: TARGET_PER_SECOND,
          isMoreBetter: true,
        },
        {
          name: 'worker CPU a Step',
          unit: 'ms',
          value: (after.worker.cpuMs - before.worker.cpuMs) / steps,
        },
        {
          name: 'server CPU a Step',
          unit: 'ms',
          value: ((after.server?.cpuMs ?? Number.NaN) - (before.server?.cpuMs ?? Number.NaN)) / steps,
        },
        { name: 'largest size of the worker', unit: 'MB', value: after.worker.peakRssMb },
        { name: 'largest size of the server', unit: 'MB', value: after.server?.peakRssMb ?? Number.NaN },
      ]
    }),
}

async function takeTurn(stage: Stage): Promise<void> {
  const session = stage.newSession()
  const { inputId } = await session.followup(
    textOf({ kind: 'steps', run: newRun(), steps: STEPS, bytes: BYTES }),
  )
  const result = await session.turn(inputId).result()
  if (result.fate !== 'claimed' || result.reason !== 'completed')
    throw new Error(`The Turn of the benchmark did not complete: ${JSON.stringify(result)}`)
}
