/**
 * A worker in a process of its own that stands still where each Turn is to die, until it is killed. Forked by
 * `mortal-worker.ts`, which tells it when to begin.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { Context } from '@temporalio/activity'
import { NativeConnection, Runtime, Worker } from '@temporalio/worker'
import { defineAgent } from '../../dist/define-agent.js'
import { openaiChat } from '../../dist/model/openai-chat.js'
import { openSqliteStore } from '../../dist/store/sqlite/open-sqlite-store.js'
import { defineTool } from '../../dist/tools/index.js'
import { createWorker } from '../../dist/worker.js'

const HEARTBEAT_MS = 250
/** Longer than a queue takes to come to its points: what is held is not to be stopped. */
const SPLIT_GRACE_MS = 60_000

/** @typedef {import('./mortal-worker.ts').WorkerHold} WorkerHold */
/** @typedef {import('../../dist/core/ports.js').SessionStore} SessionStore */
/** @typedef {import('../../dist/core/ports.js').Model} Model */
/** @typedef {{ session: string, activity: string, step: number, hasCommitted: boolean }} Place */

/** @type {AsyncLocalStorage<Place>} */
const places = new AsyncLocalStorage()
/** @type {Map<string, readonly WorkerHold[]>} */
const holds = new Map()
let isDraining = false
/** @type {() => void} */
let release = () => {}
/** @type {Promise<void>} */
const released = new Promise((resolve) => {
  release = resolve
})

/** @param {import('./mortal-worker.ts').WorkerReport} report */
function tell(report) {
  process.send?.(report)
}

/** Stands still if this is where the Turn waits or dies. @param {Pick<WorkerHold, 'activity' | 'step' | 'moment'> & { session: string }} here */
async function standAt({ session, activity, step, moment }) {
  const hold = holds
    .get(session)
    ?.find((one) => one.activity === activity && one.step === step && one.moment === moment)
  if (hold === undefined) return
  const isPassing = hold.isPassing === true
  if (hold.isSilent !== true) tell({ kind: 'standing', session, isPassing })
  await (isPassing ? released : new Promise(() => {}))
}

/** The same within an activity, which shows that it lives. @param {WorkerHold['moment']} moment */
async function stand(moment) {
  const place = places.getStore()
  if (place === undefined) return
  const context = Context.current()
  const timer = setInterval(() => context.heartbeat(), HEARTBEAT_MS)
  await standAt({ ...place, moment })
  clearInterval(timer)
}

/** @type {import('@temporalio/worker').ActivityInterceptorsFactory} */
function watchActivity({ info }) {
  return {
    inbound: {
      async execute(input, next) {
        /** @type {{ step?: number, callId?: string }} */
        const request = Object(input.args[0])
        const session = info.workflowExecution?.workflowId.split(':').at(-1) ?? ''
        const step = request.step ?? Number(request.callId?.split('_')[1] ?? 0)
        const place = { session, activity: info.activityType, step, hasCommitted: false }
        return places.run(place, async () => {
          // A poll that was under way can still bring one: it was not taken, for all that its Turn knows.
          if (isDraining) await new Promise(() => {})
          const answer = await next(input)
          await stand('answer')
          return answer
        })
      },
    },
  }
}

/** @param {SessionStore} inner @returns {SessionStore} */
function watchStore(inner) {
  return new Proxy(inner, {
    get(target, name) {
      const member = Reflect.get(target, name).bind(target)
      if (name !== 'commit') return member
      return async (/** @type {unknown[]} */ ...args) => {
        const place = places.getStore()
        if (place !== undefined && !place.hasCommitted) {
          place.hasCommitted = true
          await stand('first commit')
        }
        return member(...args)
      }
    },
  })
}

/** @param {Model} inner @returns {Model} */
function watchModel(inner) {
  return {
    name: inner.name,
    async respond(request, options) {
      await stand('before work')
      const response = await inner.respond(request, options)
      await stand('after work')
      return response
    },
  }
}

/**
 * Sees what the workflow answers to a task: its payloads are encoded before the task is completed. A Turn has the id
 * of its Session.
 *
 * @param {unknown} sent
 * @returns {{ session: string, activity: string, step: number } | undefined}
 */
function commandOf(sent) {
  const { kind, turnId, followups, callId, step, reason } = Object(sent)
  if (followups !== undefined) return { session: followups[0]?.id, activity: 'openTurn', step: 0 }
  if (turnId === undefined) return undefined
  if (kind !== undefined) {
    return kind === 'ended' ? { session: turnId, activity: 'none', step: 0 } : undefined
  }
  if (callId !== undefined)
    return { session: turnId, activity: 'runTool', step: Number(callId.split('_')[1]) }
  if (step !== undefined) return { session: turnId, activity: 'callModel', step }
  return reason === undefined ? undefined : { session: turnId, activity: 'closeTurn', step: 0 }
}

/** Changes nothing. @type {import('@temporalio/common').PayloadCodec} */
const watchCommands = {
  async encode(payloads) {
    for (const { data } of payloads) {
      const command = data?.length ? commandOf(JSON.parse(Buffer.from(data).toString())) : undefined
      if (command !== undefined) await standAt({ ...command, moment: 'workflow task' })
    }
    return payloads
  },
  decode: async (payloads) => payloads,
}

/** Turns' workers have no codec, so that one is slipped in where they are created. */
const create = Worker.create.bind(Worker)
Worker.create = (options) =>
  create({ ...options, dataConverter: { ...options.dataConverter, payloadCodecs: [watchCommands] } })

/** @param {string} toolUrl */
function toolsOf(toolUrl) {
  return /** @type {const} */ (['once', 'idempotent', 'read']).map((effect) =>
    defineTool({
      name: effect,
      description: 'Has an effect on a server.',
      effect,
      input: { type: 'object' },
      run: async (_args, { requestId, session, signal }) => {
        await stand('before work')
        const body = JSON.stringify({ requestId, session: session.session })
        const response = await fetch(toolUrl, { method: 'POST', body, signal })
        const result = await response.text()
        await stand('after work')
        return result
      },
    }),
  )
}

/** @param {import('./mortal-worker.ts').WorkerSettings} settings */
async function begin(settings) {
  for (const [session, hold] of Object.entries(settings.holds)) holds.set(session, hold)
  const agent = defineAgent({
    name: 'mortal',
    instructions: 'Test.',
    model: watchModel(openaiChat({ model: 'scripted-model', baseUrl: settings.modelUrl })),
    tools: toolsOf(settings.toolUrl),
  })
  const options = {
    connection: await NativeConnection.connect({ address: settings.address }),
    taskQueue: settings.taskQueue,
    store: watchStore(await openSqliteStore({ path: settings.database })),
    agents: [agent],
    interceptors: { activity: [watchActivity] },
  }
  if (!settings.isSplit) {
    void (await createWorker(options)).run()
  } else {
    const shutdownGraceMs = SPLIT_GRACE_MS
    const activities = await createWorker({ ...options, takes: 'activities', shutdownGraceMs })
    void activities.run()
    void (await createWorker({ ...options, takes: 'workflows', recover: false })).run()
    process.on('message', (message) => {
      if (message !== 'drain') return
      activities.shutdown()
      isDraining = true
      tell({ kind: 'draining' })
    })
  }
  tell({ kind: 'ready' })
}

const silent = () => {}
Runtime.install({
  logger: { log: silent, trace: silent, debug: silent, info: silent, warn: silent, error: silent },
})
process.on('message', (message) => {
  if (message === 'release') release()
})
process.once('message', (settings) => begin(/** @type {any} */ (settings)))
process.on('disconnect', () => process.exit(1))
tell({ kind: 'loaded' })
