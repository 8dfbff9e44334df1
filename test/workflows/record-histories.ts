/**
 * What the recorded histories are recorded from: Turns by name, run against the real server.
 *
 * The corpus is what a released loop did. It is added to, never recorded anew, because replaying old histories
 * is what shows that new code still makes the old decisions.
 */
import type { Session } from '../../src/client/index.ts'
import type { Event } from '../../src/core/event.ts'
import type { Guardrails } from '../../src/core/guardrail.ts'
import { workflowIdOf } from '../../src/core/ids.ts'
import { type Gate, gate } from '../../src/testing/gate.ts'
import {
  callTools,
  hangAfter,
  holdAfter,
  type ScriptedAnswer,
  say,
  serverError,
} from '../../src/testing/scripted-answer.ts'
import { defineTool } from '../../src/tools/index.ts'
import { eventually } from '../support/eventually.ts'
import { TurnWorld } from '../support/turn-world.ts'

interface Scenario {
  readonly script: readonly ScriptedAnswer[]
  readonly maxSteps?: number
  readonly guardrails?: Guardrails
  /** Plays from the first input, `f1`, to the last. The Session then comes to rest. */
  play(played: { readonly session: Session; readonly world: TurnWorld; readonly hold: Gate }): Promise<void>
}

const lookup = callTools({ tool: 'lookup', arguments: { word: 'answer' } })
const send = callTools({ tool: 'send', arguments: { to: 'team' } })
/** Lets through what opens a Turn, not what says `forbidden`; wants a text that says `please`. */
const guardrails: Guardrails = {
  input: [
    {
      name: 'allowed',
      judge: (content) =>
        content === 'forbidden' ? { verdict: 'block', reason: 'Not this.' } : { verdict: 'pass' },
    },
  ],
  output: [
    {
      name: 'polite',
      judge: (text) =>
        text.includes('please') ? { verdict: 'pass' } : { verdict: 'object', reason: 'Say please.' },
    },
  ],
}
/** Wants a human to look at whatever names a price. */
const holding: Guardrails = {
  output: [
    {
      name: 'prices',
      judge: (text) =>
        text.includes('price') ? { verdict: 'hold', reason: 'It names a price.' } : { verdict: 'pass' },
    },
  ],
}
const wire = callTools({ tool: 'wire', arguments: { to: 'team' } })
const waitsForApproval = (session: Session): Promise<void> =>
  eventually(async () => (await session.approvals()).length === 1)
const start = async ({ session }: { readonly session: Session }): Promise<void> => {
  await session.followup('What is the answer?', { id: 'f1' })
}

/** `hold` is a reply of two chunks that waits between them until the scenario opens the gate. */
const scenarios = (hold: ScriptedAnswer): Readonly<Record<string, Scenario>> => ({
  'standard-example': { script: [lookup, send, say('It is 42.')], play: start },
  steer: {
    script: [hold, say('And now 43.')],
    play: async (played) => {
      await start(played)
      await isStreaming(played.world)
      await played.session.steer('One more, please.', { id: 's1' })
      played.hold.open()
    },
  },
  followup: {
    script: [hold, say('Then this.')],
    play: async (played) => {
      await start(played)
      await isStreaming(played.world)
      await played.session.followup('And then?', { id: 'f2' })
      played.hold.open()
    },
  },
  abort: {
    script: [hangAfter(1, say(['It ', 'is.']))],
    play: async (played) => {
      await start(played)
      await isStreaming(played.world)
      await played.session.followup('And then?', { id: 'f2' })
      await played.session.abort({ turnId: 'f1' })
    },
  },
  'abort-after-step': {
    script: [{ ...hold, calls: [{ tool: 'lookup', arguments: {} }] } as ScriptedAnswer],
    play: async (played) => {
      await start(played)
      await isStreaming(played.world)
      const workflowId = workflowIdOf({ tenant: 'default', session: played.session.id })
      const stop = { v: 1, turnId: 'f1', mode: 'after-step' }
      await played.world.temporal.workflow.getHandle(workflowId).signal('stop', stop)
      played.hold.open()
    },
  },
  withdrawn: {
    script: [hold],
    play: async (played) => {
      await start(played)
      await isStreaming(played.world)
      await played.session.followup('And then?', { id: 'f2' })
      await played.session.withdraw('f2')
      played.hold.open()
    },
  },
  refused: {
    script: [hold],
    play: async (played) => {
      await start(played)
      await isStreaming(played.world)
      const workflowId = workflowIdOf({ tenant: 'default', session: played.session.id })
      await played.world.temporal.workflow.getHandle(workflowId).signal('steer', { id: 's1' })
      played.hold.open()
    },
  },
  'guardrails-object': {
    guardrails,
    script: [hold, say('And 43, please.')],
    play: async (played) => {
      await start(played)
      await isStreaming(played.world)
      await played.session.steer('One more, please.', { id: 's1' })
      played.hold.open()
    },
  },
  'guardrails-hold': {
    guardrails: holding,
    script: [say('The price is 42.'), say('Ask them.')],
    play: async ({ session }) => {
      await start({ session })
      await waitsForApproval(session)
      await session.decide('m1_1', { decision: 'replan', note: 'Do not name it.' })
    },
  },
  'guardrails-block': {
    guardrails,
    script: [],
    play: async ({ session }) => {
      await session.followup('forbidden', { id: 'f1' })
    },
  },
  'guardrails-block-steer': {
    guardrails,
    script: [hold],
    play: async (played) => {
      await start(played)
      await isStreaming(played.world)
      await played.session.steer('forbidden', { id: 's1' })
      played.hold.open()
    },
  },
  approved: {
    script: [wire, say('Sent.')],
    play: async (played) => {
      await start(played)
      await waitsForApproval(played.session)
      await played.session.steer('One more, please.', { id: 's1' })
      await played.session.decide('c1_1_0', { decision: 'approve' })
    },
  },
  replanned: {
    script: [callTools(...(wire.calls ?? []), { tool: 'lookup', arguments: {} }), say('Then so.')],
    play: async (played) => {
      await start(played)
      await waitsForApproval(played.session)
      await played.session.decide('c1_1_0', { decision: 'replan', note: 'Not so.' })
    },
  },
  'answered-by-the-client': {
    script: [callTools({ tool: 'locate', arguments: {} }), say('There.')],
    play: async (played) => {
      await start(played)
      await eventually(async () => (await played.session.clientCalls()).length === 1)
      await played.session.answer('c1_1_0', { content: 'here' })
    },
  },
  'max-steps': { script: [lookup, send], maxSteps: 2, play: start },
  stalled: { script: [lookup, lookup, lookup, lookup, lookup], play: start },
  'provider-failed': { script: [serverError(), { kind: 'status', status: 400 }], play: start },
  continued: {
    script: [
      ...Array.from({ length: 100 }, (_, index) => callTools({ tool: `tool-${index}` })),
      hold,
      say('At last.'),
    ],
    maxSteps: 200,
    play: async (played) => {
      await start(played)
      await isStreaming(played.world)
      await played.session.steer('Hurry.', { id: 's1' })
      played.hold.open()
    },
  },
})

/** Plays every scenario and returns the histories of its runs, in order, by name. */
export async function recordHistories(): Promise<ReadonlyMap<string, unknown>> {
  const recorded = new Map<string, unknown>()
  for (const name of Object.keys(scenarios(say('')))) {
    const hold = gate()
    const scenario = scenarios(holdAfter(1, hold, say(['It ', 'is 42.'])))[name] as Scenario
    const histories = await record(scenario, hold)
    histories.forEach((history, index) => {
      recorded.set(histories.length === 1 ? name : `${name}-${index + 1}`, history)
    })
  }
  return recorded
}

async function record(scenario: Scenario, hold: Gate): Promise<readonly unknown[]> {
  const input = { type: 'object' }
  const world = await TurnWorld.open({
    script: scenario.script,
    guardrails: scenario.guardrails ?? {},
    ...(scenario.maxSteps === undefined ? {} : { limits: { maxSteps: scenario.maxSteps } }),
    tools: [
      defineTool({ name: 'lookup', description: 'Looks up.', effect: 'read', input, run: () => 'found' }),
      defineTool({ name: 'send', description: 'Sends.', effect: 'once', input, run: () => 'sent' }),
      defineTool({ name: 'wire', description: 'Wires.', risk: 'high', input, run: () => 'wired' }),
      defineTool({ name: 'locate', description: 'Locates.', execution: 'client', input }),
    ],
  })
  try {
    await world.startWorker()
    const session = world.client.session(world.newSessionId())
    await scenario.play({ session, world, hold })
    await session.whenIdle({ timeoutMs: 60_000 })
    const workflowId = workflowIdOf({ tenant: 'default', session: session.id })
    const runs = runIdsOf(await world.settledLog(session.id))
    return await Promise.all(
      runs.map((runId) => world.temporal.workflow.getHandle(workflowId, runId).fetchHistory()),
    )
  } finally {
    await world.close()
  }
}

function runIdsOf(log: readonly Event[]): readonly string[] {
  return log.flatMap((event) =>
    event.type === 'turn/start' || event.type === 'turn/continued' ? [event.runId] : [],
  )
}

async function isStreaming(world: TurnWorld): Promise<void> {
  await world.model.journal.waitFor((entry) => entry.chunksSent === 1 && entry.endedAt === undefined, 60_000)
}
