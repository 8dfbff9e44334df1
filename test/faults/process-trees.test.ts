import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { callTools, say } from '../../src/testing/scripted-answer.ts'
import { defineTool, runProcess } from '../../src/tools/index.ts'
import { receiptsIn, sharedWorld } from '../support/conversations.ts'
import { livingMembers, writtenPids } from '../support/process-table.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { TurnWorld } from '../support/turn-world.ts'
import { WorkerProcess } from '../support/worker-process.ts'

/** A parent that honours SIGTERM, a child that does not, and a grandchild, all in one group. */
const TREE = `sh -c 'trap "" TERM; sleep 600 & echo $! >> pids; while :; do sleep 0.05; done' &
echo $! >> pids; echo $$ >> leader; wait`

let folder = ''
const input = { type: 'object' } as const

const cases = sharedWorld({
  tools: [
    ...[60_000, 2_000].map((timeoutMs) =>
      defineTool({
        name: `tree-${timeoutMs}`,
        description: 'Runs a tree of processes.',
        timeoutMs,
        input,
        run: (_args, { signal }) => runProcess('sh', ['-c', TREE], { signal, cwd: folder }),
      }),
    ),
    defineTool({
      name: 'build',
      description: 'Fails at the end of a long output.',
      input,
      run: (_args, { signal }) =>
        runProcess('sh', ['-c', 'head -c 900000 /dev/zero | tr "\\0" .; echo FAILED; exit 2'], {
          signal,
          maxBytes: 1_000,
        }),
    }),
  ],
})

/** The group of the tree, once all three have started. */
async function startedTree(): Promise<number> {
  const pids = await writtenPids(join(folder, 'pids'), 2)
  const [leader = 0] = await writtenPids(join(folder, 'leader'))
  expect(livingMembers(leader)).toEqual(expect.arrayContaining([...pids, leader]))
  return leader
}

describe('a tool that runs processes', () => {
  it('leaves none of them when its Turn is aborted', async () => {
    folder = await temporaryFolder()
    const talk = cases.open(callTools({ tool: 'tree-60000' }))
    await talk.begin()
    const group = await startedTree()
    expect(await talk.session.abort({ turnId: 'f1', timeoutMs: 20_000 })).toMatchObject({ reason: 'aborted' })
    expect(await talk.receipts()).toEqual(['c1_1_0 outcome-unknown'])
    await expect.poll(() => livingMembers(group), { timeout: 20_000 }).toEqual([])
  })

  it('leaves none of them when its time is over', async () => {
    folder = await temporaryFolder()
    const talk = cases.open(callTools({ tool: 'tree-2000' }), say('It took too long.'))
    await talk.begin()
    const group = await startedTree()
    expect(await talk.result('f1')).toMatchObject({ reason: 'completed' })
    expect(await talk.receipts()).toEqual(['c1_1_0 timed-out'])
    await expect.poll(() => livingMembers(group), { timeout: 20_000 }).toEqual([])
  })

  it('B54: has exit status, beginning and end of the output in its receipt', async () => {
    const talk = cases.open(callTools({ tool: 'build' }), say('It failed.'))
    expect(await talk.run()).toMatchObject({ reason: 'completed' })
    expect(receiptsIn(talk.requests[1])).toEqual([
      expect.stringMatching(/^\{"exit":\{"kind":"exited","code":2\},[\s\S]*FAILED\\n/),
    ])
  })
})

describe('a worker with a tool that runs processes', () => {
  let world: TurnWorld
  afterEach(() => world.close())

  it('leaves none of them when it is told to shut down and they ignore SIGTERM', async () => {
    world = await TurnWorld.open({ respond: () => callTools({ tool: 'tree' }) })
    folder = await temporaryFolder()
    const script = `cd '${folder}'; ${TREE}`
    const tool = { name: 'tree', effect: 'once', result: 'done', isHeld: false, script } as const
    const worker = await WorkerProcess.start(world, [tool], { shutdownGraceMs: 100 })
    await world.client.session(world.newSessionId()).followup('Go.', { id: 'f1' })
    const group = await startedTree()
    worker.signal('SIGTERM')
    await worker.exited()
    expect(livingMembers(group)).toEqual([])
  })
})
