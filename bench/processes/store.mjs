/**
 * Times the store and the projection of messages on it, without anything else in the process.
 */
import { openSqliteStore } from 'turnstep'
import { SessionMessages } from '../../dist/activities/session-messages.js'
import { answerParent, settings } from './answer-parent.mjs'

/** @typedef {import('../../dist/core/event.js').NewEvent} NewEvent */

const { databasePath } = /** @type {{ databasePath: string }} */ (settings())
const store = await openSqliteStore({ path: databasePath })
const key = { tenant: 'default', session: 'benchmark' }
const warm = new SessionMessages(store)
const STEPS_PER_TURN = 100

/** @param {readonly NewEvent[]} append */
async function commit(append) {
  const result = await store.commit(key, { keys: [], decide: () => ({ append, answer: undefined }) })
  if (result.kind === 'refused') throw new Error(`The store refused: ${result.refusal}`)
  return result.head.seq
}

/** @param {number} turn @returns {NewEvent[]} */
function turnStart(turn) {
  const envelope = { turnId: `t${turn}`, turn }
  const runs = { runId: crypto.randomUUID(), firstExecutionRunId: crypto.randomUUID() }
  const agent = { agent: 'benchmark', agentDigest: ''.padEnd(64, '0') }
  return [
    { type: 'turn/start', ...envelope, inputs: [`t${turn}`], ...agent, ...runs, key: `turn:t${turn}:start` },
  ]
}

/** @param {number} turn @returns {NewEvent[]} */
function turnEnd(turn) {
  const envelope = { turnId: `t${turn}`, turn }
  const usage = { inputTokens: 1, outputTokens: 1 }
  return [
    {
      type: 'turn/end',
      ...envelope,
      reason: 'completed',
      inputs: [],
      usage,
      cost: null,
      key: `turn:t${turn}:end`,
    },
  ]
}

/** A Step of three events. @param {number} turn @param {number} step @returns {NewEvent[]} */
function threeEvents(turn, step) {
  const envelope = { turnId: `t${turn}`, turn, step }
  const prefix = `turn:t${turn}:step:${step}`
  return [
    { type: 'step/start', ...envelope, key: `${prefix}:start` },
    {
      type: 'assistant/message',
      ...envelope,
      text: 'Something that a model says. '.repeat(7),
      calls: [],
      finish: 'stop',
      usage: { inputTokens: 1_000, outputTokens: 100 },
      model: 'scripted-model',
      key: `${prefix}:message`,
    },
    { type: 'step/end', ...envelope, key: `${prefix}:end` },
  ]
}

/** Microseconds that work takes. @param {() => Promise<unknown>} work */
async function timed(work) {
  const startedAt = performance.now()
  await work()
  return (performance.now() - startedAt) * 1_000
}

answerParent({
  /** @param {number} count */
  async measure(count) {
    /** @type {number[]} */
    const commits = []
    /** @type {number[]} */
    const warmReads = []
    /** @type {number[]} */
    const coldReads = []
    for (let index = 0; index < count; index += 1) {
      const [turn, step] = [Math.floor(index / STEPS_PER_TURN) + 1, (index % STEPS_PER_TURN) + 1]
      if (step === 1) await commit(turnStart(turn))
      let seq = 0
      commits.push(
        await timed(async () => {
          seq = await commit(threeEvents(turn, step))
        }),
      )
      if (turn === 1) warmReads.push(await timed(() => warm.upTo(key, seq)))
      if (turn === 1 && step === STEPS_PER_TURN)
        for (let read = 0; read < 20; read += 1)
          coldReads.push(await timed(() => new SessionMessages(store).upTo(key, seq)))
      if (step === STEPS_PER_TURN) await commit(turnEnd(turn))
    }
    return { commits, warmReads: warmReads.slice(-50), coldReads }
  },
})
