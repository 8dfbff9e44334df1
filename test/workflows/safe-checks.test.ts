import { describe, expect, it } from 'vitest'
import type { WorkerOptions } from '../../src/worker.ts'
import type { Boundary } from '../support/boundary.ts'
import {
  expectOfferedSteerSurvives,
  expectSurvives,
  INJECTIONS,
  type Injection,
} from '../support/boundary-scenario.ts'
import { type Mutation, mutantBundle } from '../support/mutant-bundle.ts'

/** A check that keeps a promise, the code without it, and what its absence breaks. */
interface SafeCheck extends Mutation {
  readonly name: string
  readonly scenario: (workers: Partial<WorkerOptions>) => Promise<void>
}

function interrupting(boundary: Boundary, injection: string): SafeCheck['scenario'] {
  return async (workers) => expectSurvives(boundary, INJECTIONS[injection] as Injection, workers)
}

const CHECKS: readonly SafeCheck[] = [
  {
    name: 'the inbox is looked at after the last await',
    file: 'workflows/hand-over.js',
    from: 'if (inbox.hasInputs)',
    to: 'if (false)',
    scenario: interrupting('closing running', 'a followup'),
  },
  {
    name: 'what a late stop withdraws is recorded before the workflow ends',
    file: 'workflows/close-turn.js',
    from: 'while (inbox.hasUnrecorded)',
    to: 'while (false)',
    scenario: interrupting('closing running', 'a stop'),
  },
  {
    name: 'a stop is looked at before each Step',
    file: 'workflows/run-steps.js',
    from: 'if (stop !== undefined)',
    to: 'if (false)',
    scenario: interrupting('tools running', 'a stop after the Step'),
  },
  {
    name: 'the opening is shielded from cancellation',
    file: 'workflows/open-turn.js',
    from: 'CancellationScope.nonCancellable(',
    to: 'CancellationScope.cancellable(',
    scenario: interrupting('not started', 'a bare cancellation'),
  },
  {
    name: 'the closing is shielded from cancellation',
    file: 'workflows/close-turn.js',
    from: 'CancellationScope.nonCancellable(',
    to: 'CancellationScope.cancellable(',
    scenario: interrupting('tools running', 'a bare cancellation'),
  },
  {
    name: 'an input stays in the inbox until the answer says that it is recorded',
    file: 'workflows/receive-inputs.js',
    from: 'return this.#offered;',
    to: 'const taken = this.#offered; this.#inbox = settle(this.#inbox, { claimed: taken.map(({ id }) => id) }); return taken;',
    scenario: expectOfferedSteerSurvives,
  },
  {
    name: 'a cancellation is noticed with what its activation brought',
    file: 'workflows/receive-inputs.js',
    from: '() => inbox.receiveCancellation()',
    to: '() => undefined',
    scenario: interrupting('closing running', 'a steer and a cancellation in one activation'),
  },
  {
    name: 'a Turn is completed only while no steer waits',
    file: 'workflows/run-steps.js',
    from: 'if (at.afterFinal && !inbox.hasSteers)',
    to: 'if (at.afterFinal)',
    scenario: interrupting('last answer recorded', 'a steer'),
  },
]

// One after the other: workers of one process with different bundles disturb each other while they start.
describe('each safe check of the Turn', () => {
  it.each(CHECKS)('is needed: $name', async (check) => {
    const workflowBundle = await mutantBundle(check)
    await expect(check.scenario({ workflowBundle })).rejects.toThrow()
  })
})
