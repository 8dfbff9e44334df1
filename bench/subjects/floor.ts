import type { OpenSubject } from './subject.ts'

/** One remote activity a Step that does nothing: what Temporal costs at least. Its results have no size. */
export const openFloor: OpenSubject = async (stage) => {
  const child = await stage.startProcess('processes/floor.mjs')
  return {
    name: 'floor',
    process: child,
    async converse({ steps }) {
      const workflowId = `floor-${crypto.randomUUID()}`
      await child.call('takeStarts')
      await stage.temporal.workflow.execute('floorWorkflow', {
        workflowId,
        taskQueue: stage.taskQueue,
        args: [steps + 1],
      })
      return { begunAt: await child.call<readonly number[]>('takeStarts'), workflowId }
    },
  }
}
