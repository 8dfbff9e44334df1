/**
 * The provider: a strict scripted model server without latency, in a process of its own so that its CPU is nobody's.
 *
 * What it answers is written in the conversation: the last user message holds a {@link Plan} as JSON. When it was
 * asked and when its requests were cut is kept by the plan's run.
 */

import { chatText } from '../../dist/testing/chat-request.js'
import { gate } from '../../dist/testing/gate.js'
import { callTools, hangAfter, holdAfter, say } from '../../dist/testing/scripted-answer.js'
import { ScriptedModelServer } from '../../dist/testing/scripted-model-server.js'
import { answerParent, now } from './answer-parent.mjs'

/** @typedef {import('../world/plan.ts').Plan} Plan */
/** @typedef {import('../../dist/testing/model-journal.js').JournalEntry} JournalEntry */
/** @typedef {import('../../dist/testing/chat-request.js').ChatRequest} ChatRequest */
/** @typedef {{ requests: JournalEntry[], chunksSentAt: number[], wake: (() => void)[] }} Run */

/** @type {Map<string, Run>} */
const runs = new Map()

/** @param {string} name @returns {Run} */
function runNamed(name) {
  const run = runs.get(name) ?? { requests: [], chunksSentAt: [], wake: [] }
  runs.set(name, run)
  return run
}

/** The plan of a conversation, and how many receipts have come since it was made. @param {ChatRequest} request */
function planOf({ messages }) {
  const last = messages.findLastIndex(({ role }) => role === 'user')
  const message = messages[last]
  const plan = /** @type {Plan} */ (JSON.parse(message === undefined ? '{}' : chatText(message)))
  const receipts = messages.slice(last).filter(({ role }) => role === 'tool').length
  return { plan, receipts }
}

/** @param {ChatRequest} request @param {JournalEntry} entry */
function respond(request, entry) {
  const { plan, receipts } = planOf(request)
  const run = runNamed(plan.run)
  run.requests.push(entry)
  for (const wake of run.wake.splice(0)) wake()
  if (plan.kind === 'hang' && run.requests.length === 1) return hangAfter(1, say('I am thinking about it.'))
  if (plan.kind === 'stream') return streamed(plan, run)
  if (plan.kind === 'steps' && receipts < plan.steps * (plan.calls ?? 1)) return lookUp(plan, receipts)
  return say('That is all. answer-mark')
}

/** The calls of one Step, all different. @param {Extract<Plan, { kind: 'steps' }>} plan @param {number} receipts */
function lookUp({ bytes, calls = 1 }, receipts) {
  const args = (/** @type {number} */ index) => ({ n: receipts + index + 1, bytes, mark: 'call-mark' })
  return callTools(
    ...Array.from({ length: calls }, (_, index) => ({ tool: 'lookup', arguments: args(index) })),
  )
}

/** Chunks that say their number, each sent at its time. @param {Extract<Plan, { kind: 'stream' }>} plan @param {Run} run */
function streamed({ chunks, gapMs }, run) {
  const gates = Array.from({ length: chunks }, gate)
  const text = gates.map((_, index) => `[${index}]`)
  const sendNext = () => {
    const index = run.chunksSentAt.length
    if (index >= chunks) return
    run.chunksSentAt.push(now())
    gates[index]?.open()
    setTimeout(sendNext, gapMs)
  }
  setTimeout(sendNext, gapMs)
  return gates.reduce((reply, until, index) => holdAfter(index, until, reply), say(text))
}

const server = await ScriptedModelServer.start({ respond, journal: { entries: 2_000, bodyBytes: 1 } })

answerParent({
  url: () => server.url,
  /** Times of a run's requests. @param {string} name */
  requests: (name) =>
    runNamed(name).requests.map(({ receivedAt, answeredAt, abortedAt }) => ({
      receivedAt,
      answeredAt,
      abortedAt,
    })),
  /** Waits until a run has so many requests. @param {{ run: string, count: number }} wanted */
  async awaitRequests({ run: name, count }) {
    const run = runNamed(name)
    while (run.requests.length < count)
      await new Promise((resolve) => run.wake.push(() => resolve(undefined)))
  },
  /** When a run's last request was cut by its client. @param {string} name */
  async abortedAt(name) {
    const number = runNamed(name).requests.at(-1)?.number
    const cut = await server.journal.waitFor(
      (entry) => entry.number === number && entry.abortedAt !== undefined,
    )
    return cut.abortedAt
  },
  /** When each chunk of a run was sent. @param {string} name */
  chunksSentAt: (name) => runNamed(name).chunksSentAt,
  /** Fails when a request was one that a provider would refuse. */
  check: () => server.assertNoViolations(),
})
