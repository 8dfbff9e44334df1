import type { Stage } from '../world/stage.ts'
import type { World } from '../world/world.ts'
import { openFloor } from './floor.ts'
import { openInProcess } from './in-process.ts'
import { installPeers, openOpenaiAgents } from './openai-agents.ts'
import type { OpenSubject, Subject } from './subject.ts'
import { openTurnstep } from './turnstep.ts'

export interface StagedSubject {
  readonly subject: Subject
  readonly stage: Stage
}

/** All subjects at once, idle but for the one that is measured, so that rounds can alternate between them. */
export async function withSubjects<T>(
  world: World,
  play: (subjects: readonly StagedSubject[]) => Promise<T>,
): Promise<T> {
  const peers = (await installPeers(world.options.log)) ? [openOpenaiAgents] : []
  return withOpened(world, [openTurnstep, openInProcess, openFloor, ...peers], play)
}

/** The subjects that are opened, each on a stage of its own. */
export async function withOpened<T>(
  world: World,
  open: readonly OpenSubject[],
  play: (subjects: readonly StagedSubject[]) => Promise<T>,
  opened: readonly StagedSubject[] = [],
): Promise<T> {
  const [first, ...rest] = open
  if (first === undefined) return play(opened)
  return world.stage('steps', async (stage) =>
    withOpened(world, rest, play, [...opened, { subject: await first(stage), stage }]),
  )
}
