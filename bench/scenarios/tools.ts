/**
 * What tools cost: the pipeline around a call, a result without end, and many calls at once.
 */
import type { Scenario } from '../scenario.ts'
import { measureFlood } from './tools/flood.ts'
import { measureParallel } from './tools/parallel.ts'
import { measurePipeline } from './tools/pipeline.ts'

export const tools: Scenario = {
  name: 'tools',
  title: 'Tool calls: the pipeline, 200 MB of output, 128 calls in one Step',
  run: async (world) => [
    ...(await measurePipeline(world)),
    ...(await measureFlood(world)),
    ...(await measureParallel(world)),
  ],
}
