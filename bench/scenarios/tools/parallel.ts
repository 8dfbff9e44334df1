/**
 * One Step with 128 calls of a quick tool, against 128 Steps of one call and against `Promise.all` in process.
 *
 * A Step's time is here from the provider's answer to its next request.
 */
import type { Figure } from '../../figure.ts'
import { median } from '../../statistics.ts'
import { openInProcess } from '../../subjects/in-process.ts'
import type { Steps } from '../../subjects/subject.ts'
import { cpuBetween } from '../../subjects/subject.ts'
import { openTurnstep } from '../../subjects/turnstep.ts'
import type { StagedSubject } from '../../subjects/with-subjects.ts'
import { withOpened } from '../../subjects/with-subjects.ts'
import { historySize } from '../../world/read-history.ts'
import type { World } from '../../world/world.ts'
import type { ProcessStrain } from './flood.ts'

const CALLS = 128
const BYTES = 200
const WARM_UP = { steps: 20, bytes: BYTES }
const AT_ONCE: Steps = { steps: 1, bytes: BYTES, calls: CALLS }
const ONE_BY_ONE: Steps = { steps: CALLS, bytes: BYTES }

/** Of one conversation of 128 calls, however they are spread; of history, what its last run has. */
interface Cost {
  readonly wallMs: number
  readonly workerCpuMs: number
  readonly serverCpuMs: number
  readonly historyBytes: number
  readonly historyEvents: number
  readonly strain: ProcessStrain
}

export async function measureParallel(world: World): Promise<readonly Figure[]> {
  return withOpened(world, [openTurnstep, openInProcess], async ([ours, plain]) => {
    if (ours === undefined || plain === undefined) throw new Error('Both subjects were to be open')
    for (const { subject } of [ours, plain]) await subject.converse(WARM_UP)
    await ours.subject.converse(AT_ONCE)
    const [atOnce, oneByOne, inProcess]: [Cost[], Cost[], number[]] = [[], [], []]
    for (let round = 0; round < world.pick(3, 9); round += 1) {
      atOnce.push(await costOf(ours, AT_ONCE))
      inProcess.push(await wallMs(plain, AT_ONCE))
      if (round % 3 === 0) oneByOne.push(await costOf(ours, ONE_BY_ONE))
    }
    return figuresOf({
      atOnce: medianCost(atOnce),
      oneByOne: medianCost(oneByOne),
      inProcessMs: median(inProcess),
      stepBytes: await historyOfStep(ours),
    })
  })
}

interface Costs {
  readonly atOnce: Cost
  readonly oneByOne: Cost
  readonly inProcessMs: number
  /** Of history, by a Step with one call. */
  readonly stepBytes: number
}

function figuresOf({ atOnce, oneByOne, inProcessMs, stepBytes }: Costs): readonly Figure[] {
  const a = `a call of ${CALLS} in one Step`
  const others = (ofOthers: number): Record<string, number> => ({ 'a Step each': ofOthers / CALLS })
  return [
    { name: `${CALLS} calls in one Step: wall`, unit: 'ms', value: atOnce.wallMs },
    {
      name: `${a}: wall`,
      unit: 'ms',
      value: atOnce.wallMs / CALLS,
      others: { ...others(oneByOne.wallMs), 'Promise.all': inProcessMs / CALLS },
    },
    {
      name: `${a}: worker CPU`,
      unit: 'ms',
      value: atOnce.workerCpuMs / CALLS,
      others: others(oneByOne.workerCpuMs),
    },
    {
      name: `${a}: server CPU`,
      unit: 'ms',
      value: atOnce.serverCpuMs / CALLS,
      others: others(oneByOne.serverCpuMs),
    },
    {
      name: `${a}: history`,
      unit: 'B',
      value: atOnce.historyBytes / CALLS,
      others: { 'a Step each': stepBytes },
    },
    { name: `${CALLS} calls in one Step: history`, unit: 'B', value: atOnce.historyBytes },
    { name: `… events`, unit: '', value: atOnce.historyEvents },
    { name: `… growth of the worker`, unit: 'MB', value: atOnce.strain.growthMb },
    { name: `… largest size of the worker`, unit: 'MB', value: atOnce.strain.peakMb },
    { name: `… longest stall of the worker`, unit: 'ms', value: atOnce.strain.longestStallMs },
  ]
}

async function costOf(staged: StagedSubject, steps: Steps): Promise<Cost> {
  const { subject, stage } = staged
  await subject.process.call('beginStrain')
  const before = { worker: await subject.process.usage(), server: stage.server.usage() }
  const { wallMs: wall, workflowId = '' } = await timed(staged, steps)
  const after = { worker: await subject.process.usage(), server: stage.server.usage() }
  const strain = await subject.process.call<ProcessStrain>('endStrain')
  const { events, bytes } = await historySize(stage.temporal, workflowId)
  const { server } = before
  return {
    wallMs: wall,
    workerCpuMs: cpuBetween(before.worker, after.worker),
    serverCpuMs:
      server === undefined || after.server === undefined ? Number.NaN : cpuBetween(server, after.server),
    historyBytes: bytes,
    historyEvents: events,
    strain,
  }
}

/** By the difference of two Turns that are short enough to be one run each. */
async function historyOfStep({ subject, stage }: StagedSubject): Promise<number> {
  const [few, many] = [2, 22]
  const bytesOf = async (steps: number): Promise<number> => {
    const { workflowId = '' } = await subject.converse({ steps, bytes: BYTES })
    return (await historySize(stage.temporal, workflowId)).bytes
  }
  return ((await bytesOf(many)) - (await bytesOf(few))) / (many - few)
}

async function wallMs(staged: StagedSubject, steps: Steps): Promise<number> {
  return (await timed(staged, steps)).wallMs
}

/** From the provider's answers to its next requests, all together. */
async function timed({ subject }: StagedSubject, steps: Steps) {
  const { begunAt, answeredAt = [], workflowId } = await subject.converse(steps)
  const gaps = begunAt.slice(1).map((at, index) => at - (answeredAt[index] ?? Number.NaN))
  return { wallMs: gaps.reduce((sum, gap) => sum + gap, 0), workflowId }
}

function medianCost(costs: readonly Cost[]): Cost {
  const of = (field: (cost: Cost) => number): number => median(costs.map(field))
  return {
    wallMs: of((cost) => cost.wallMs),
    workerCpuMs: of((cost) => cost.workerCpuMs),
    serverCpuMs: of((cost) => cost.serverCpuMs),
    historyBytes: of((cost) => cost.historyBytes),
    historyEvents: of((cost) => cost.historyEvents),
    strain: {
      growthMb: of((cost) => cost.strain.growthMb),
      peakMb: Math.max(...costs.map(({ strain }) => strain.peakMb)),
      longestStallMs: Math.max(...costs.map(({ strain }) => strain.longestStallMs)),
    },
  }
}
