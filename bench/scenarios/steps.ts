/**
 * What a Step costs over a model without latency.
 */
import type { Figure } from '../figure.ts'
import { sizeName } from '../figure.ts'
import type { Scenario } from '../scenario.ts'
import { median } from '../statistics.ts'
import type { StepCost } from '../subjects/subject.ts'
import { measureSteps } from '../subjects/subject.ts'
import type { StagedSubject } from '../subjects/with-subjects.ts'
import { withSubjects } from '../subjects/with-subjects.ts'
import type { World } from '../world/world.ts'

/** The spike of the design: wall time, and how often the floor and the plugin it was. */
const TARGETS: Readonly<Record<number, { readonly wallMs: number; readonly peer: number }>> = {
  200: { wallMs: 27.5, peer: 27.5 / 33.8 },
  5000: { wallMs: 28.1, peer: 28.1 / 46.9 },
}
const FLOOR = 27.5 / 8.8
const WORKER_CPU_MS = 15
const SERVER_CPU_MS = 20

const WARM_UP_STEPS = 20

type Costs = ReadonlyMap<string, StepCost>

export const steps: Scenario = {
  name: 'steps',
  title: 'A Step over a model without latency',
  run: (world) =>
    withSubjects(world, async (subjects) => {
      for (const { subject } of subjects) await subject.converse({ steps: WARM_UP_STEPS, bytes: 200 })
      const figures: Figure[] = []
      for (const bytes of [200, 5_000])
        figures.push(...figuresOf(bytes, await measure(world, subjects, bytes)))
      return figures
    }),
}

/** Medians of some rounds, in each of which every subject has its turn. */
async function measure(world: World, subjects: readonly StagedSubject[], bytes: number): Promise<Costs> {
  const count = world.pick(25, 100)
  const costs = new Map<string, StepCost[]>(subjects.map(({ subject }) => [subject.name, []]))
  for (let round = 0; round < world.pick(2, 5); round += 1) {
    for (const { subject, stage } of subjects) {
      const cost = await measureSteps(subject, stage, { steps: count, bytes })
      costs.get(subject.name)?.push(cost)
    }
  }
  return new Map([...costs].map(([name, rounds]) => [name, medianCost(rounds)]))
}

function medianCost(rounds: readonly StepCost[]): StepCost {
  const server = rounds.flatMap(({ serverCpuMs }) => (serverCpuMs === undefined ? [] : [serverCpuMs]))
  return {
    wallMs: median(rounds.map(({ wallMs }) => wallMs)),
    workerCpuMs: median(rounds.map(({ workerCpuMs }) => workerCpuMs)),
    serverCpuMs: server.length === 0 ? undefined : median(server),
  }
}

function figuresOf(bytes: number, costs: Costs): readonly Figure[] {
  const size = sizeName(bytes)
  const target = TARGETS[bytes]
  const of = (name: string, field: keyof StepCost): number => costs.get(name)?.[field] ?? Number.NaN
  const figure = (name: string, field: keyof StepCost, targetMs: number | undefined): Figure => {
    const others = [...costs].filter(([other]) => other !== 'turnstep')
    return {
      name: `${name}, ${size}`,
      unit: 'ms',
      value: of('turnstep', field),
      target: targetMs,
      others: Object.fromEntries(others.map(([other, cost]) => [other, cost[field]])),
    }
  }
  const wallBy = (name: string, ratio: number | undefined): Figure => ({
    name: `wall by ${name}, ${size}`,
    unit: '×',
    value: of('turnstep', 'wallMs') / of(name, 'wallMs'),
    target: ratio,
  })
  return [
    figure('wall', 'wallMs', target?.wallMs),
    wallBy('floor', FLOOR),
    wallBy('openai-agents', target?.peer),
    figure('worker CPU', 'workerCpuMs', WORKER_CPU_MS),
    figure('server CPU', 'serverCpuMs', SERVER_CPU_MS),
  ]
}
