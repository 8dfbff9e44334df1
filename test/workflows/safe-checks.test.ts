import { describe, expect, it } from 'vitest'
import type { Boundary } from '../support/boundary.ts'
import { expectSurvives, INJECTIONS } from '../support/boundary-scenario.ts'
import { type Mutation, mutantBundle } from '../support/mutant-bundle.ts'

/** A check that keeps a promise, the code without it, and where its absence shows. */
interface SafeCheck extends Mutation {
  readonly name: string
  readonly boundary: Boundary
  readonly injection: string
}

const CHECKS: readonly SafeCheck[] = [
  {
    name: 'the inbox is looked at after the last await',
    file: 'workflows/hand-over.js',
    from: 'if (inbox.hasInputs)',
    to: 'if (false)',
    boundary: 'closing running',
    injection: 'a followup',
  },
  {
    name: 'what a late stop withdraws is recorded before the workflow ends',
    file: 'workflows/close-turn.js',
    from: 'while (inbox.hasUnrecorded)',
    to: 'while (false)',
    boundary: 'closing running',
    injection: 'a stop',
  },
  {
    name: 'a stop is looked at before each Step',
    file: 'workflows/run-steps.js',
    from: 'if (stop !== undefined)',
    to: 'if (false)',
    boundary: 'tools running',
    injection: 'a stop after the Step',
  },
  {
    name: 'the opening is shielded from cancellation',
    file: 'workflows/open-turn.js',
    from: 'CancellationScope.nonCancellable(',
    to: 'CancellationScope.cancellable(',
    boundary: 'opening queued',
    injection: 'a bare cancellation',
  },
  {
    name: 'the closing is shielded from cancellation',
    file: 'workflows/close-turn.js',
    from: 'CancellationScope.nonCancellable(',
    to: 'CancellationScope.cancellable(',
    boundary: 'tools running',
    injection: 'a bare cancellation',
  },
  {
    name: 'an input stays in the inbox until the answer says that it is recorded',
    file: 'workflows/receive-inputs.js',
    from: 'return this.#offered;',
    to: 'const taken = this.#offered; this.#inbox = settle(this.#inbox, { claimed: taken.map(({ id }) => id) }); return taken;',
    boundary: 'model call queued with a steer',
    injection: 'a bare cancellation',
  },
  {
    name: 'a cancellation is noticed with what its activation brought',
    file: 'workflows/receive-inputs.js',
    from: '() => inbox.receiveCancellation()',
    to: '() => undefined',
    boundary: 'closing running',
    injection: 'a steer and a cancellation in one activation',
  },
  {
    name: 'a Turn is completed only while no steer waits',
    file: 'workflows/run-steps.js',
    from: 'if (at.afterFinal && !inbox.hasSteers)',
    to: 'if (at.afterFinal)',
    boundary: 'last answer recorded',
    injection: 'a steer',
  },
]

describe.concurrent('each safe check of the Turn', () => {
  it.each(CHECKS)('$name, or "$boundary" does not survive $injection', async (check) => {
    const injection = INJECTIONS[check.injection]
    if (injection === undefined) throw new Error(`There is no injection ${check.injection}`)
    const workflowBundle = await mutantBundle(check)
    await expect(expectSurvives(check.boundary, injection, { workflowBundle })).rejects.toThrow()
  })
})
