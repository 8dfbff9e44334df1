import { newRun, textOf } from '../world/plan.ts'
import type { OpenSubject } from './subject.ts'
import { timesOf } from './subject.ts'

/** The same loop without Temporal and without a store: what a Step costs that is nobody's overhead. */
export const openInProcess: OpenSubject = async (stage) => {
  const child = await stage.startProcess('processes/in-process.mjs')
  return {
    name: 'in process',
    process: child,
    async converse(steps) {
      const run = newRun()
      await child.call('run', textOf({ kind: 'steps', run, ...steps }))
      return timesOf(await stage.model.requests(run))
    },
  }
}
