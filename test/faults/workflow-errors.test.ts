import { fileURLToPath } from 'node:url'
import { WorkflowFailedError } from '@temporalio/client'
import { bundleWorkflowCode, Runtime, type WorkflowBundle } from '@temporalio/worker'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ErrorCode } from '../../src/core/errors.ts'
import { say } from '../../src/testing/scripted-answer.ts'
import { eventually } from '../support/eventually.ts'
import { sequenceOf, TurnWorld } from '../support/turn-world.ts'

const CODES = Object.keys({
  'store-unavailable': true,
  'store-corrupt': true,
  'log-behind': true,
  'rate-limited': true,
  'provider-unavailable': true,
  'provider-rejected': true,
  'provider-auth': true,
  'provider-protocol': true,
  'context-too-long': true,
  'empty-completion': true,
  'worker-lost': true,
  terminated: true,
  'unknown-agent': true,
  'invalid-input': true,
  'invalid-config': true,
  'temporal-unavailable': true,
  'session-busy': true,
  'turn-not-running': true,
  'abort-pending': true,
  'session-not-found': true,
  'turn-not-found': true,
  'input-not-found': true,
  'input-already-claimed': true,
  'spill-not-found': true,
  'timed-out': true,
  'call-not-waiting': true,
  'already-decided': true,
  'too-late': true,
  'arguments-changed': true,
  internal: true,
} satisfies Record<ErrorCode, true>)

/** `EventType.EVENT_TYPE_WORKFLOW_TASK_FAILED` of Temporal's API. */
const WORKFLOW_TASK_FAILED = 9

const pathOf = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))

describe('an error in workflow code', () => {
  let failing: WorkflowBundle
  let world: TurnWorld

  beforeAll(async () => {
    failing = await bundleWorkflowCode({
      workflowsPath: pathOf('../../dist/workflows/index.js'),
      payloadConverterPath: pathOf('../../dist/workflows/payload-converter.js'),
      workflowInterceptorModules: [pathOf('../support/failing-workflows.mjs')],
      logger: Runtime.instance().logger,
    })
  })
  beforeEach(async () => {
    world = await TurnWorld.open({ respond: () => say('Hello.') })
    await world.startWorker({ takes: 'activities' })
  })
  afterEach(() => world.close())

  it.each(['openTurn', 'callModel', 'closeTurn'])(
    'that is a bug, at %s, fails the task until a worker with the fix takes over',
    async (activity) => {
      const broken = await world.startWorker({ takes: 'workflows', workflowBundle: failing })
      const session = world.client.session(world.newSessionId())
      const { inputId } = await session.followup('Hello?', { id: `bug-at-${activity}` })
      await eventually(async () => (await failedTasks(session.id)) > 0)
      await broken.stop()
      await world.startWorker({ takes: 'workflows' })
      const result = await session.turn(inputId).result({ timeoutMs: 30_000 })
      expect(result).toMatchObject({ reason: 'completed', text: 'Hello.' })
      expect(sequenceOf(await world.settledLog(session.id))).toEqual([
        'turn/start',
        'user/message',
        'step/start',
        'assistant/message',
        'step/end',
        'turn/end',
      ])
      expect(world.model.journal.count).toBe(1)
    },
  )

  it('B82: of ours ends the Turn with its code, whichever it is', async () => {
    await world.startWorker({ takes: 'workflows', workflowBundle: failing })
    const ends = await Promise.all(
      CODES.map(async (code) => {
        const session = world.client.session(world.newSessionId())
        const { inputId } = await session.followup('Hello?', { id: `${code}-at-callModel` })
        const result = await session.turn(inputId).result({ timeoutMs: 40_000 })
        await session.whenIdle({ timeoutMs: 20_000 })
        await world.settledLog(session.id)
        return result.fate === 'claimed' ? `${result.reason} ${result.code}` : result.fate
      }),
    )
    expect(ends).toEqual(CODES.map((code) => `error ${code}`))
    expect(world.model.journal.count).toBe(0)
  })

  it.each(['openTurn', 'closeTurn'])(
    'of ours, at %s, where no end can be recorded, fails the workflow',
    async (activity) => {
      await world.startWorker({ takes: 'workflows', workflowBundle: failing })
      const session = world.client.session(world.newSessionId())
      await session.followup('Hello?', { id: `store-corrupt-at-${activity}` })
      const handle = world.temporal.workflow.getHandle(`turnstep:default:${session.id}`)
      const failure = await handle.result().catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(WorkflowFailedError)
      expect(failure).toMatchObject({ cause: { type: 'store-corrupt', nonRetryable: true } })
    },
  )

  async function failedTasks(sessionId: string): Promise<number> {
    const { events } = await world.temporal.workflow.getHandle(`turnstep:default:${sessionId}`).fetchHistory()
    return (events ?? []).filter(({ eventType }) => Number(eventType) === WORKFLOW_TASK_FAILED).length
  }
})
