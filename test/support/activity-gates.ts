import type { ActivityInboundCallsInterceptor, WorkerInterceptors } from '@temporalio/worker'
import type { TurnActivities } from '../../src/activities/contracts.ts'

type ActivityName = keyof TurnActivities

/** Holds an activity at one point until the test lets it go. */
export interface HeldActivity {
  /** Resolves when an activity has come to the point. */
  readonly reached: Promise<void>
  /** Lets it go on. */
  release(): void
}

interface Hold extends HeldActivity {
  readonly name: ActivityName
  readonly at: 'before' | 'after'
  readonly arrive: () => void
  readonly released: Promise<void>
}

/**
 * Points at which activities of a worker can be held: before their first line, or after their last, when all
 * that they do is done and only their answer is missing. Each hold catches one execution.
 */
export class ActivityGates {
  readonly #waiting: Hold[] = []
  readonly #all: Hold[] = []
  /** Names of the activities that have begun, in order. */
  readonly started: ActivityName[] = []

  hold(name: ActivityName, at: 'before' | 'after'): HeldActivity {
    let arrive = (): void => undefined
    let release = (): void => undefined
    const reached = new Promise<void>((resolve) => {
      arrive = resolve
    })
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const hold: Hold = { name, at, arrive, released, reached, release }
    this.#waiting.push(hold)
    this.#all.push(hold)
    return hold
  }

  /** Lets everything go. */
  releaseAll(): void {
    for (const hold of this.#all) hold.release()
    this.#waiting.length = 0
  }

  get interceptors(): WorkerInterceptors {
    const gates = this
    return {
      activity: [
        (context) => ({
          inbound: {
            async execute(input, next) {
              const name = context.info.activityType as ActivityName
              gates.started.push(name)
              await gates.#pass(name, 'before')
              const answer = await next(input)
              await gates.#pass(name, 'after')
              return answer
            },
          } satisfies ActivityInboundCallsInterceptor,
        }),
      ],
    }
  }

  async #pass(name: ActivityName, at: 'before' | 'after'): Promise<void> {
    const index = this.#waiting.findIndex((hold) => hold.name === name && hold.at === at)
    const [hold] = index < 0 ? [] : this.#waiting.splice(index, 1)
    if (hold === undefined) return
    hold.arrive()
    await hold.released
  }
}
