/**
 * Workflow interceptors for a bundle of our workflows that fails on purpose, in workflow code, right where an
 * activity would be scheduled: for an input (or Turn) with the id `bug-at-ACTIVITY` by a programming error, for
 * `CODE-at-ACTIVITY` by an error of ours with that code.
 */
import { TurnstepError } from '../../dist/core/errors.js'

/** @param {import('@temporalio/workflow').ActivityInput} input */
function failAt({ activityType, args }) {
  const [request] = /** @type {[{ turnId?: string, followups?: readonly { id: string }[] }]} */ (args)
  const id = request.turnId ?? request.followups?.[0]?.id ?? ''
  const [what = '', where] = id.split('-at-')
  if (where !== activityType) return
  if (what === 'bug') throw new TypeError('A bug that the test wanted')
  throw new TurnstepError(
    /** @type {import('../../src/core/errors.ts').ErrorCode} */ (what),
    'As the test wanted',
  )
}

export const interceptors = () => ({
  inbound: [],
  outbound: [
    {
      /**
       * @param {import('@temporalio/workflow').ActivityInput} input
       * @param {(input: import('@temporalio/workflow').ActivityInput) => Promise<unknown>} next
       */
      async scheduleActivity(input, next) {
        failAt(input)
        return next(input)
      },
    },
  ],
  internals: [],
})
