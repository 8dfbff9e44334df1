/**
 * The floor: a worker whose Step is one remote activity that does nothing but tell the time.
 */
import { fileURLToPath } from 'node:url'
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker'
import { answerParent, now, settings } from './answer-parent.mjs'

const { address, taskQueue } = /** @type {{ address: string, taskQueue: string }} */ (settings())

Runtime.install({ logger: new DefaultLogger('ERROR') })
/** @type {number[]} */
let startedAt = []
const connection = await NativeConnection.connect({ address })
const worker = await Worker.create({
  connection,
  taskQueue,
  workflowsPath: fileURLToPath(new URL('./floor-workflow.mjs', import.meta.url)),
  activities: { nothing: async () => void startedAt.push(now()) },
  stickyQueueScheduleToStartTimeout: '1s',
  workflowTaskPollerBehavior: { type: 'autoscaling', initial: 2, maximum: 16 },
  activityTaskPollerBehavior: { type: 'autoscaling', initial: 2, maximum: 16 },
})
const ended = worker.run()

answerParent(
  {
    /** When the activities since the last question started. */
    takeStarts() {
      const taken = startedAt
      startedAt = []
      return taken
    },
  },
  {
    async stop() {
      worker.shutdown()
      await ended
      await connection.close()
    },
  },
)
