/**
 * How long a worker takes from the start of its process.
 */
import type { Scenario } from '../scenario.ts'
import { median } from '../statistics.ts'
import { newRun, textOf } from '../world/plan.ts'
import type { Stage } from '../world/stage.ts'

const TARGET_S = 1.5

interface Trial {
  readonly runningS: number
  readonly firstStepS: number
}

export const start: Scenario = {
  name: 'start',
  title: 'Start of a worker process',
  run: async (world) => {
    const trials: Trial[] = []
    for (let index = 0; index < world.pick(3, 10); index += 1)
      trials.push(await world.stage('start', startOnce))
    return [
      {
        name: 'until it runs, p50',
        unit: 's',
        value: median(trials.map(({ runningS }) => runningS)),
        target: TARGET_S,
      },
      {
        name: 'until the first Step of a Turn that waits, p50',
        unit: 's',
        value: median(trials.map(({ firstStepS }) => firstStepS)),
      },
    ]
  },
}

async function startOnce(stage: Stage): Promise<Trial> {
  const run = newRun()
  const session = stage.newSession()
  const { inputId } = await session.followup(textOf({ kind: 'steps', run, steps: 0, bytes: 0 }))
  const worker = stage.launchWorker()
  const runningAt = await worker.readyAt
  const [request] = await stage.model.awaitRequests(run, 1)
  await session.turn(inputId).result()
  return {
    runningS: (runningAt - worker.startedAt) / 1_000,
    firstStepS: ((request?.receivedAt ?? Number.NaN) - worker.startedAt) / 1_000,
  }
}
