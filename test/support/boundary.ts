/**
 * The awaits of a Turn, each reached and held deterministically, and what can be injected there.
 */
import { ApplicationFailure } from '@temporalio/common'
import type { TurnActivities } from '../../src/activities/contracts.ts'
import type { Session } from '../../src/client/index.ts'
import { isTurnstepError } from '../../src/core/errors.ts'
import type { OutputGuardrail } from '../../src/core/guardrail.ts'
import { workflowIdOf } from '../../src/core/ids.ts'
import type { ChatRequest } from '../../src/testing/chat-request.ts'
import { chatText } from '../../src/testing/chat-request.ts'
import type { Gate } from '../../src/testing/gate.ts'
import { gate } from '../../src/testing/gate.ts'
import { callTools, type ScriptedAnswer, say } from '../../src/testing/scripted-answer.ts'
import { defineTool } from '../../src/tools/index.ts'
import type { WorkerOptions } from '../../src/worker.ts'
import { ActivityGates, type HeldActivity } from './activity-gates.ts'
import { eventually } from './eventually.ts'
import type { RunningWorker } from './turn-world.ts'
import { TurnWorld } from './turn-world.ts'

export const BOUNDARIES = [
  'not started',
  'opening queued',
  'opening running',
  'opening recorded',
  'model call queued',
  'model call queued with a steer',
  'model streaming',
  'tools queued',
  'tools running',
  'waiting for a human',
  'waiting for the client',
  'text held for a human',
  'last answer recorded',
  'closing queued',
  'closing running',
  'closing recorded',
] as const

export type Boundary = (typeof BOUNDARIES)[number]

const careful: OutputGuardrail = {
  name: 'careful',
  judge: (text) =>
    text === 'A careful answer.' ? { verdict: 'hold', reason: 'It is careful.' } : { verdict: 'pass' },
}

/** A Turn (`f1`) that calls one tool and then answers, held at one of its awaits. */
export class HeldTurn {
  readonly world: TurnWorld
  readonly session: Session
  /** Inputs that were sent, beside `f1`, to reach the await. */
  sentBefore: readonly string[] = []
  readonly #gates = new ActivityGates()
  readonly #streaming: Gate
  readonly #toolRuns: Gate
  readonly #more: Partial<WorkerOptions>
  #workflows: RunningWorker | undefined
  #activities: RunningWorker | undefined

  private constructor(
    world: TurnWorld,
    held: { readonly streaming: Gate; readonly toolRuns: Gate; readonly workers: Partial<WorkerOptions> },
  ) {
    this.world = world
    this.session = world.client.session(world.newSessionId())
    this.#streaming = held.streaming
    this.#toolRuns = held.toolRuns
    this.#more = held.workers
  }

  static async at(boundary: Boundary, workers: Partial<WorkerOptions> = {}): Promise<HeldTurn> {
    const streaming = gate()
    const toolRuns = gate()
    const started = gate()
    const isHeldStream = boundary === 'model streaming'
    const probe = defineTool({
      name: 'probe',
      description: 'Looks.',
      effect: 'read',
      risk: (args) => (args['careful'] === true ? 'high' : 'low'),
      input: { type: 'object' },
      run: async (_args, { signal }) => {
        started.open()
        if (boundary === 'tools running') await openedOrAborted(toolRuns, signal)
        return 'seen'
      },
    })
    const ask = defineTool({
      name: 'ask',
      description: 'Asks the client.',
      effect: 'read',
      input: { type: 'object' },
      execution: 'client',
      timeoutMs: 600_000,
    })
    const world = await TurnWorld.open({
      tools: [probe, ask],
      ...(boundary === 'text held for a human' ? { guardrails: { output: [careful] } } : {}),
      respond: (request, entry) =>
        (entry.number === 1 ? FIRST_ANSWERS[boundary] : undefined) ??
        answer(request, isHeldStream && entry.number === 1 ? streaming : undefined),
    })
    const held = new HeldTurn(world, { streaming, toolRuns, workers })
    await held.#reach(boundary, started)
    return held
  }

  get workflowId(): string {
    return workflowIdOf({ tenant: 'default', session: this.session.id })
  }

  /** Lets activities run again, but holds the first of this name before its first line. */
  async resumeHolding(name: keyof TurnActivities): Promise<HeldActivity> {
    const held = this.#gates.hold(name, 'before')
    const { interceptors } = this.#gates
    this.#activities ??= await this.world.startWorker({ takes: 'activities', interceptors })
    return held
  }

  /** Lets the Turn go on, with workers for everything. */
  async resume(): Promise<void> {
    this.#gates.releaseAll()
    this.#streaming.open()
    this.#toolRuns.open()
    this.#workflows ??= await this.world.startWorker({ ...this.#more, takes: 'workflows' })
    this.#activities ??= await this.world.startWorker({ takes: 'activities' })
    await this.#speak()
  }

  /** Whoever is waited for approves, or answers; nobody is, if the Turn was stopped meanwhile. */
  async #speak(): Promise<void> {
    const [approval] = await this.session.approvals()
    const [call] = await this.session.clientCalls()
    const spoken =
      approval !== undefined
        ? this.session.decide(approval.callId, { decision: 'approve' })
        : call !== undefined
          ? this.session.answer(call.callId, { content: 'seen' })
          : Promise.resolve()
    await spoken.catch((error: unknown) => {
      if (!isTurnstepError(error) || error.code !== 'call-not-waiting') throw error
    })
  }

  /** From here on what arrives waits for one activation. */
  async stopWorkflows(): Promise<void> {
    await this.#workflows?.stop()
    this.#workflows = undefined
  }

  async startWorkflows(): Promise<void> {
    this.#workflows ??= await this.world.startWorker({ ...this.#more, takes: 'workflows' })
  }

  /** A bare cancellation, as from Temporal's own UI. */
  async cancel(): Promise<void> {
    await this.world.temporal.workflow.getHandle(this.workflowId).cancel()
  }

  /** What the next worker does for a dead one: the running attempts fail, and others are made beside them. */
  async loseWorker(): Promise<void> {
    const { raw, runId } = await this.world.temporal.workflow.getHandle(this.workflowId).describe()
    for (const { activityId, state } of raw.pendingActivities ?? []) {
      if (Number(state) !== STARTED || !activityId) continue
      const lost = ApplicationFailure.retryable('The worker process is dead', 'worker-lost')
      await this.world.temporal.activity.fail({ workflowId: this.workflowId, runId, activityId }, lost)
    }
  }

  /** A workflow task that a worker took and did not complete. */
  async loseWorkflowTask(): Promise<void> {
    const { connection } = this.world.temporal
    const identity = 'a worker that loses its task'
    const taskQueue = { name: this.world.taskQueue }
    const { workflowService } = this.world.temporal.connection
    await connection.withDeadline(Date.now() + 20_000, async () => {
      const { taskToken } = await workflowService.pollWorkflowTaskQueue({
        namespace: 'default',
        taskQueue,
        identity,
      })
      await workflowService.respondWorkflowTaskFailed({ namespace: 'default', taskToken, identity })
    })
  }

  /** Lets go of everything, whatever state the test left it in. */
  async close(): Promise<void> {
    this.#gates.releaseAll()
    this.#streaming.open()
    this.#toolRuns.open()
    await this.world.close()
  }

  async #reach(boundary: Boundary, toolStarted: Gate): Promise<void> {
    if (boundary === 'not started') {
      await this.session.followup('use the tool', { id: 'f1' })
      return
    }
    await this.startWorkflows()
    const hold = HOLDS[boundary]
    const held = hold?.map(([name, at]) => this.#gates.hold(name, at)) ?? []
    if (boundary !== 'opening queued') {
      this.#activities = await this.world.startWorker({
        takes: 'activities',
        interceptors: this.#gates.interceptors,
      })
    }
    await this.session.followup('use the tool', { id: 'f1' })
    const last = held.at(-1)
    for (const one of held) {
      await one.reached
      if (one !== last) one.release()
    }
    if (boundary === 'model streaming') {
      await this.world.model.journal.waitFor((entry) => entry.chunksSent > 0)
      await this.#hasPending('callModel', STARTED)
    }
    if (boundary === 'tools running') await toolStarted.opened
    if (boundary === 'waiting for a human' || boundary === 'text held for a human')
      await eventually(async () => (await this.session.approvals()).length === 1)
    if (boundary === 'waiting for the client')
      await eventually(async () => (await this.session.clientCalls()).length === 1)
    if (boundary === 'opening queued') await this.#hasPending('openTurn', SCHEDULED)
    const queued = QUEUED[boundary]
    if (queued === undefined || last === undefined) return
    if (boundary === 'model call queued with a steer') {
      await this.session.steer('look around', { id: 's0' })
      this.sentBefore = ['s0']
    }
    const stopped = this.#activities?.stop()
    this.#activities = undefined
    last.release()
    await stopped
    await this.#hasPending(queued, SCHEDULED)
  }

  async #hasPending(name: keyof TurnActivities, state: number): Promise<void> {
    await eventually(async () => {
      const { raw } = await this.world.temporal.workflow.getHandle(this.workflowId).describe()
      return (raw.pendingActivities ?? []).some(
        (pending) => pending.activityType?.name === name && Number(pending.state) === state,
      )
    })
  }
}

const SCHEDULED = 1
const STARTED = 2

/** Activities that are let go one after the other, the last of which is held. */
const HOLDS: Partial<Record<Boundary, readonly (readonly [keyof TurnActivities, 'before' | 'after'])[]>> = {
  'opening running': [['openTurn', 'before']],
  'opening recorded': [['openTurn', 'after']],
  'model call queued': [['openTurn', 'after']],
  'model call queued with a steer': [['openTurn', 'after']],
  'tools queued': [['callModel', 'after']],
  'last answer recorded': [
    ['callModel', 'after'],
    ['callModel', 'after'],
  ],
  'closing queued': [
    ['callModel', 'after'],
    ['callModel', 'after'],
  ],
  'closing running': [['closeTurn', 'before']],
  'closing recorded': [['closeTurn', 'after']],
}

/** What the model says first, where that is what leads to the await. */
const FIRST_ANSWERS: Partial<Record<Boundary, ScriptedAnswer>> = {
  'waiting for a human': callTools({ tool: 'probe', arguments: { careful: true } }),
  'waiting for the client': callTools({ tool: 'ask', arguments: {} }),
  'text held for a human': { ...say('A careful answer.'), ...callTools({ tool: 'probe', arguments: {} }) },
}

const QUEUED: Partial<Record<Boundary, keyof TurnActivities>> = {
  'model call queued': 'callModel',
  'model call queued with a steer': 'callModel',
  'tools queued': 'runTool',
  'closing queued': 'closeTurn',
}

/** A tool call for what asks for it, else the number of user messages. */
function answer(request: ChatRequest, hold: Gate | undefined): ScriptedAnswer {
  const last = request.messages.at(-1)
  const isAsked = last?.role === 'user' && chatText(last) === 'use the tool'
  if (hold !== undefined) {
    const until = { kind: 'hold', afterChunks: 1, until: hold } as const
    return { text: ['Let me ', 'look.'], calls: [{ tool: 'probe', arguments: {} }], interruptions: [until] }
  }
  if (isAsked) return callTools({ tool: 'probe', arguments: {} })
  return say(`Messages so far: ${request.messages.filter(({ role }) => role === 'user').length}`)
}

async function openedOrAborted(until: Gate, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    void until.opened.then(resolve)
    signal.addEventListener('abort', () => reject(signal.reason))
  })
}
