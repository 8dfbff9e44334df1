/**
 * Times what a worker does for a tool call, on a store and without Temporal: the activity in a mock of its
 * environment, against the tool's function alone.
 */
import { MockActivityEnvironment } from '@temporalio/testing'
import { defineAgent, defineTool, openaiChat, openSqliteStore } from 'turnstep'
import { AgentSnapshots } from '../../dist/activities/agent-snapshots.js'
import { createActivities } from '../../dist/activities/index.js'
import { agentRegistry } from '../../dist/core/agent.js'
import { answerParent, settings } from './answer-parent.mjs'
import { LOOKUP_DESCRIPTION, LOOKUP_PARAMETERS, lookup } from './lookup.mjs'

/** @typedef {import('../../dist/core/event.js').NewEvent} NewEvent */
/** @typedef {import('../../dist/core/ports.js').SessionStore} SessionStore */
/** @typedef {import('../scenarios/tools/pipeline.ts').CallTimes} CallTimes */
/** @typedef {{ count: number, bytes: number, isRedacted: boolean }} Wanted */

const { databasePath } = /** @type {{ databasePath: string }} */ (settings())
const store = await openSqliteStore({ path: databasePath })
let sessions = 0

/** What the store took within the call that is measured. Microseconds. */
const inStore = { reads: 0, commits: 0 }

/** @param {'reads' | 'commits'} kind @param {() => Promise<any>} work */
async function counted(kind, work) {
  const startedAt = performance.now()
  try {
    return await work()
  } finally {
    inStore[kind] += (performance.now() - startedAt) * 1_000
  }
}

/** @type {SessionStore} */
const watched = {
  ...store,
  find: (...args) => counted('reads', () => store.find(...args)),
  head: (...args) => counted('reads', () => store.head(...args)),
  getContent: (...args) => counted('reads', () => store.getContent(...args)),
  commit: (...args) => counted('commits', () => store.commit(...args)),
}

/** @param {boolean} isRedacted */
function agentOf(isRedacted) {
  return defineAgent({
    name: 'benchmark',
    instructions: 'Look up what you are asked for.',
    model: openaiChat({ model: 'scripted-model', baseUrl: 'http://127.0.0.1:9' }),
    tools: [
      defineTool({
        name: 'lookup',
        description: LOOKUP_DESCRIPTION,
        effect: 'read',
        input: LOOKUP_PARAMETERS,
        result: isRedacted ? {} : { redact: 'off' },
        run: lookup,
      }),
    ],
  })
}

answerParent({
  /** Times so many calls, each in a Step of its own. @param {Wanted} wanted @returns {Promise<CallTimes>} */
  async measure({ count, bytes, isRedacted }) {
    sessions += 1
    const key = { tenant: 'default', session: `benchmark-${sessions}` }
    const agent = agentOf(isRedacted)
    const agentDigest = await new AgentSnapshots(store).keep(key.tenant, agent)
    const { runTool } = createActivities({ store: watched, agents: agentRegistry([agent]) })
    const turn = { turnId: 't1', turn: 1 }
    const runs = { runId: crypto.randomUUID(), firstExecutionRunId: crypto.randomUUID() }
    const inputs = ['t1']
    /** @param {NewEvent[]} append */
    const commit = async (append) => {
      const done = await store.commit(key, { keys: [], decide: () => ({ append, answer: undefined }) })
      if (done.kind === 'refused') throw new Error(`The store refused: ${done.refusal}`)
      return done.head.seq
    }
    await commit([
      { type: 'turn/start', ...turn, inputs, agent: 'benchmark', agentDigest, ...runs, key: 'turn:t1:start' },
    ])

    /** @type {{ total: number[], reads: number[], commits: number[], alone: number[] }} */
    const times = { total: [], reads: [], commits: [], alone: [] }
    const takeSteps = async () => {
      for (let step = 1; step <= count; step += 1) {
        const args = { n: step, bytes, mark: 'call-mark' }
        const seq = await commit(asked(turn, step, args))
        inStore.reads = 0
        inStore.commits = 0
        const startedAt = performance.now()
        const { kind } = await runTool({ turnId: 't1', callId: `c1_${step}_0`, seq })
        times.total.push((performance.now() - startedAt) * 1_000)
        if (kind !== 'ok') throw new Error(`The call of the benchmark was to be ok and is ${kind}`)
        times.reads.push(inStore.reads)
        times.commits.push(inStore.commits)
        const aloneAt = performance.now()
        await lookup(args)
        times.alone.push((performance.now() - aloneAt) * 1_000)
        await commit([{ type: 'step/end', ...turn, step, key: `turn:t1:step:${step}:end` }])
      }
    }
    const workflowExecution = { workflowId: `turnstep:default:${key.session}`, runId: runs.runId }
    await new MockActivityEnvironment({ workflowExecution }).run(takeSteps)
    return times
  },
})

/**
 * A Step whose message asks for one call.
 *
 * @param {{ turnId: string, turn: number }} turn @param {number} step @param {unknown} args @returns {NewEvent[]}
 */
function asked(turn, step, args) {
  return [
    { type: 'step/start', ...turn, step, key: `turn:t1:step:${step}:start` },
    {
      type: 'assistant/message',
      ...turn,
      step,
      text: '',
      calls: [{ callId: `c1_${step}_0`, tool: 'lookup', arguments: JSON.stringify(args) }],
      finish: 'tool_calls',
      usage: { inputTokens: 1_000, outputTokens: 100 },
      model: 'scripted-model',
      key: `turn:t1:step:${step}:message`,
    },
  ]
}
