import { newRun, textOf } from '../world/plan.ts'
import type { Stage, WorkerChoice } from '../world/stage.ts'
import type { Conversation, Steps, Subject } from './subject.ts'
import { timesOf } from './subject.ts'

/** Turnstep: one Turn of one new Session. */
export async function openTurnstep(stage: Stage, choice?: WorkerChoice): Promise<Subject> {
  return {
    name: 'turnstep',
    process: await stage.startWorker(choice),
    converse: (steps) => takeTurn(stage, steps),
  }
}

async function takeTurn(stage: Stage, steps: Steps): Promise<Conversation> {
  const run = newRun()
  const session = stage.newSession()
  const { inputId } = await session.followup(textOf({ kind: 'steps', run, ...steps }))
  const requests = await stage.model.awaitRequests(run, steps.steps + 1)
  const result = await session.turn(inputId).result()
  if (result.fate !== 'claimed' || result.reason !== 'completed')
    throw new Error(`The Turn of the benchmark did not complete: ${JSON.stringify(result)}`)
  return {
    ...timesOf(requests),
    workflowId: `turnstep:default:${session.id}`,
  }
}
