import { proxyActivities } from '@temporalio/workflow'

const { nothing } = /** @type {{ nothing: () => Promise<void> }} */ (
  proxyActivities({ startToCloseTimeout: '10 s' })
)

/** Calls an activity that does nothing, so many times. @param {number} steps */
export async function floorWorkflow(steps) {
  for (let step = 0; step < steps; step += 1) await nothing()
}
