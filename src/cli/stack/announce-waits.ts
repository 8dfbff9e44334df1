import { ApplicationFailure } from '@temporalio/common'
import type { WorkerInterceptors } from '@temporalio/worker'
import { DEFAULT_TENANT, workflowIdOf } from '../../core/ids.ts'

/** Shorter waits are not worth a line. */
const LONG_MS = 5_000

/** Says when a Turn of the Session waits for long before a provider is asked again, as the provider wanted. */
export function announceWaits(session: string | undefined, note: (line: string) => void): WorkerInterceptors {
  return {
    activity: [
      ({ info }) => ({
        inbound: {
          async execute(input, next) {
            try {
              return await next(input)
            } catch (error) {
              const waitMs = error instanceof ApplicationFailure ? Number(error.nextRetryDelay ?? 0) : 0
              const key = { tenant: DEFAULT_TENANT, session: session ?? '' }
              if (waitMs >= LONG_MS && info.workflowExecution?.workflowId === workflowIdOf(key))
                note(`(${String((error as Error).message)} Asking again in ${Math.ceil(waitMs / 1_000)} s.)`)
              throw error
            }
          },
        },
      }),
    ],
  }
}
