/**
 * Who takes the same Steps: turnstep, and what it is compared with.
 */
import type { Child, Usage } from '../world/child.ts'
import type { RequestTimes } from '../world/model-process.ts'
import type { Stage } from '../world/stage.ts'

export interface Steps {
  readonly steps: number
  readonly bytes: number
  /** Calls a Step. Default 1. */
  readonly calls?: number
}

/** One conversation of so many Steps. */
export interface Conversation {
  /** When each Step began: the provider's requests, or the activities of the floor. */
  readonly begunAt: readonly number[]
  /** When the provider began to answer each of its requests, where there is one. */
  readonly answeredAt?: readonly number[]
  readonly workflowId?: string
}

export interface Subject {
  readonly name: string
  /** The process that does the work. */
  readonly process: Child
  converse(steps: Steps): Promise<Conversation>
}

/** Starts a subject on a stage of its own. */
export type OpenSubject = (stage: Stage) => Promise<Subject>

/** A conversation by the provider's requests. */
export function timesOf(requests: readonly RequestTimes[]): Conversation {
  return {
    begunAt: requests.map(({ receivedAt }) => receivedAt),
    answeredAt: requests.map(({ answeredAt = Number.NaN }) => answeredAt),
  }
}

/** What a Step cost on average. */
export interface StepCost {
  readonly wallMs: number
  readonly workerCpuMs: number
  /** Undefined where the server's process cannot be looked at. */
  readonly serverCpuMs: number | undefined
}

/** Measures one conversation. */
export async function measureSteps(subject: Subject, stage: Stage, steps: Steps): Promise<StepCost> {
  const before = { worker: await subject.process.usage(), server: stage.server.usage() }
  const { begunAt } = await subject.converse(steps)
  const after = { worker: await subject.process.usage(), server: stage.server.usage() }
  const [first, last] = [begunAt[0] ?? Number.NaN, begunAt.at(-1) ?? Number.NaN]
  return {
    wallMs: (last - first) / (begunAt.length - 1),
    workerCpuMs: cpuBetween(before.worker, after.worker) / steps.steps,
    serverCpuMs:
      before.server === undefined || after.server === undefined
        ? undefined
        : cpuBetween(before.server, after.server) / steps.steps,
  }
}

export function cpuBetween(before: Usage, after: Usage): number {
  return after.cpuMs - before.cpuMs
}
