/**
 * One interruption at one await of a Turn, and what must be true afterwards.
 */
import { expect } from 'vitest'
import type { Event, EventOf } from '../../src/core/event.ts'
import type { WorkerOptions } from '../../src/worker.ts'
import { type Boundary, HeldTurn } from './boundary.ts'

export interface Injection {
  /** Injects, and answers the ids of the inputs that it sent. */
  inject(turn: HeldTurn): Promise<readonly string[]>
  /** Fate of those inputs, in order, by the Turn's log. */
  readonly fates: (boundary: Boundary) => readonly string[]
  /** How `f1` ends. */
  readonly end: (boundary: Boundary) => string
}

/** Awaits of a Step whose text is the last. */
const FINAL_STEP: ReadonlySet<Boundary> = new Set(['last answer recorded', 'model call queued with a steer'])

const isClosing = (boundary: Boundary): boolean => boundary.startsWith('closing')

export const INJECTIONS: Readonly<Record<string, Injection>> = {
  'a steer': {
    inject: async ({ session }) => {
      await session.steer('look left', { id: 's1' })
      return ['s1']
    },
    // A steer joins the running Turn at its next Step; while the end is being written it opens the next Turn.
    fates: (boundary) => [isClosing(boundary) ? 'user/message in s1' : 'user/message in f1'],
    end: () => 'completed',
  },
  'a followup': {
    inject: async ({ session }) => {
      await session.followup('and then', { id: 'f2' })
      return ['f2']
    },
    fates: () => ['user/message in f2'],
    end: () => 'completed',
  },
  'a stop': {
    inject: async (turn) => {
      await turn.session.followup('later', { id: 'f2' })
      const stop = { v: 1, turnId: 'f1', queue: 'withdraw', mode: 'now' }
      await turn.stopWorkflows()
      await turn.world.temporal.workflow.getHandle(turn.workflowId).signal('stop', stop)
      await turn.cancel()
      await turn.startWorkflows()
      return ['f2']
    },
    fates: () => ['input/withdrawn'],
    end: (boundary) => (isClosing(boundary) ? 'completed' : 'aborted'),
  },
  'a stop that lets the queue run': {
    inject: async (turn) => {
      await turn.session.followup('later', { id: 'f2' })
      const stop = { v: 1, turnId: 'f1', queue: 'run', mode: 'now' }
      await turn.world.temporal.workflow.getHandle(turn.workflowId).signal('stop', stop)
      await turn.cancel()
      return ['f2']
    },
    fates: () => ['user/message in f2'],
    end: (boundary) => (isClosing(boundary) ? 'completed' : 'aborted'),
  },
  'a stop after the Step': {
    inject: async (turn) => {
      await turn.session.followup('later', { id: 'f2' })
      const stop = { v: 1, turnId: 'f1', mode: 'after-step' }
      await turn.world.temporal.workflow.getHandle(turn.workflowId).signal('stop', stop)
      return ['f2']
    },
    fates: () => ['input/withdrawn'],
    // The text of the last Step is final: that the Turn was to stop after it changes nothing.
    end: (boundary) => (isClosing(boundary) || FINAL_STEP.has(boundary) ? 'completed' : 'aborted'),
  },
  'a bare cancellation': {
    inject: async (turn) => {
      await turn.cancel()
      return []
    },
    fates: () => [],
    end: (boundary) => (isClosing(boundary) ? 'completed' : 'aborted'),
  },
  'a steer and a cancellation in one activation': {
    inject: async (turn) => {
      await turn.stopWorkflows()
      await turn.session.steer('look left', { id: 's1' })
      await turn.cancel()
      await turn.startWorkflows()
      return ['s1']
    },
    // The opening is shielded: what is there when it starts is claimed.
    fates: (boundary) => [boundary === 'not started' ? 'user/message in f1' : 'input/withdrawn'],
    end: (boundary) => (isClosing(boundary) ? 'completed' : 'aborted'),
  },
  'a lost worker': {
    inject: async (turn) => {
      await turn.session.steer('look left', { id: 's1' })
      await turn.loseWorker()
      return ['s1']
    },
    fates: (boundary) => [isClosing(boundary) ? 'user/message in s1' : 'user/message in f1'],
    end: () => 'completed',
  },
  'a lost workflow task': {
    inject: async (turn) => {
      await turn.stopWorkflows()
      await turn.session.steer('look left', { id: 's1' })
      await turn.loseWorkflowTask()
      return ['s1']
    },
    fates: (boundary) => [isClosing(boundary) ? 'user/message in s1' : 'user/message in f1'],
    end: () => 'completed',
  },
}

/** Holds a Turn at an await, interrupts it, lets it go on, and checks everything that a log and a provider can show. */
export async function expectSurvives(
  boundary: Boundary,
  injection: Injection,
  workers: Partial<WorkerOptions> = {},
): Promise<void> {
  const turn = await HeldTurn.at(boundary, workers)
  try {
    const sent = await injection.inject(turn)
    await turn.resume()
    await turn.session.whenIdle({ timeoutMs: 40_000 })

    const log = await turn.world.settledLog(turn.session.id)
    expect(endOf(log, 'f1').reason).toBe(injection.end(boundary))
    expect(sent.map((id) => fateOf(log, id))).toEqual(injection.fates(boundary))
    for (const id of turn.sentBefore) fateOf(log, id)

    const { inputId } = await turn.session.followup('use the tool')
    const next = await turn.session.turn(inputId).result({ timeoutMs: 40_000 })
    expect(next).toMatchObject({ fate: 'claimed', reason: 'completed' })
    await turn.world.settledLog(turn.session.id)
  } finally {
    await turn.close()
  }
}

/**
 * A steer was offered to a model call, the call is cancelled in its queue and never runs: the steer is
 * withdrawn, not lost.
 */
export async function expectOfferedSteerSurvives(workers: Partial<WorkerOptions> = {}): Promise<void> {
  const turn = await HeldTurn.at('model call queued with a steer', workers)
  try {
    await turn.cancel()
    const held = await turn.resumeHolding('callModel')
    await turn.session.whenIdle({ timeoutMs: 40_000 })
    const log = await turn.world.settledLog(turn.session.id)
    expect(endOf(log, 'f1').reason).toBe('aborted')
    expect(fateOf(log, 's0')).toBe('input/withdrawn')
    held.release()
  } finally {
    await turn.close()
  }
}

function endOf(log: readonly Event[], turnId: string): EventOf<'turn/end'> {
  const ends = log.filter(
    (event): event is EventOf<'turn/end'> => event.type === 'turn/end' && event.turnId === turnId,
  )
  expect(ends).toHaveLength(1)
  return ends[0] as EventOf<'turn/end'>
}

/** The one fate of an input; where it was claimed, by which Turn. */
function fateOf(log: readonly Event[], id: string): string {
  const fates = log.filter((event) => 'inputId' in event && event.inputId === id)
  expect(fates).toHaveLength(1)
  const [fate] = fates
  return fate?.type === 'user/message' ? `${fate.type} in ${fate.turnId}` : String(fate?.type)
}
