/**
 * How soon a Turn goes on after kill -9 of its worker in a model call, with a new worker at once.
 */
import type { Figure } from '../figure.ts'
import type { Scenario } from '../scenario.ts'
import { percentile } from '../statistics.ts'
import { now } from '../world/now.ts'
import { newRun, textOf } from '../world/plan.ts'
import type { Stage } from '../world/stage.ts'

const TARGET_S = { recovered: 2.5, timedOut: 4 }

interface Trial {
  readonly seconds: number
  readonly requests: number
}

export const recovery: Scenario = {
  name: 'recovery',
  title: "kill -9 in a model call until the provider's next request",
  run: async (world) => {
    const recovered = await repeat(world.pick(3, 10), () =>
      world.stage('recovery', (stage) => killOnce(stage, true)),
    )
    const timedOut = await repeat(world.pick(1, 5), () =>
      world.stage('recovery', (stage) => killOnce(stage, false)),
    )
    return [
      ...figuresOf('with start-up recovery', recovered, TARGET_S.recovered),
      ...figuresOf('by the heartbeat timeout', timedOut, TARGET_S.timedOut),
      {
        name: 'calls paid twice, at most',
        unit: '',
        value: Math.max(...[...recovered, ...timedOut].map(({ requests }) => requests)) - 1,
        target: 1,
      },
    ]
  },
}

async function repeat(count: number, trial: () => Promise<Trial>): Promise<readonly Trial[]> {
  const trials: Trial[] = []
  for (let index = 0; index < count; index += 1) trials.push(await trial())
  return trials
}

async function killOnce(stage: Stage, recover: boolean): Promise<Trial> {
  const run = newRun()
  const { model } = stage
  const worker = await stage.startWorker()
  const session = stage.newSession()
  const { inputId } = await session.followup(textOf({ kind: 'hang', run }))
  await model.awaitRequests(run, 1)
  const killedAt = now()
  await worker.kill()
  stage.launchWorker({ recover })
  const [, next] = await model.awaitRequests(run, 2)
  const result = await session.turn(inputId).result()
  if (result.fate !== 'claimed' || result.reason !== 'completed')
    throw new Error(`The Turn did not complete after the crash: ${JSON.stringify(result)}`)
  return {
    seconds: ((next?.receivedAt ?? Number.NaN) - killedAt) / 1_000,
    requests: (await model.requests(run)).length,
  }
}

function figuresOf(name: string, trials: readonly Trial[], target: number): readonly Figure[] {
  const seconds = trials.map((trial) => trial.seconds)
  return [
    { name: `${name}, p50`, unit: 's', value: percentile(seconds, 0.5) },
    { name: `${name}, max`, unit: 's', value: Math.max(...seconds), target },
  ]
}
