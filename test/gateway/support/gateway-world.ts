import { afterAll, beforeAll } from 'vitest'
import { authenticateLocally } from '../../../src/gateway/auth/local.ts'
import { createGateway, type Gateway, type GatewayOptions } from '../../../src/gateway/create-gateway.ts'
import { type ServedGateway, type ServeOptions, serveGateway } from '../../../src/gateway/serve-gateway.ts'
import type { ScriptedAnswer } from '../../../src/testing/scripted-answer.ts'
import type { WorkerOptions } from '../../../src/worker.ts'
import { type Conversation, Conversations } from '../../support/conversations.ts'
import { TurnWorld, type WorldOptions } from '../../support/turn-world.ts'
import { Described, type OpenApiDocument } from './described.ts'

/** A gateway on a real socket, before a store, a worker and the shared Temporal server. */
export interface GatewayWorld {
  readonly world: TurnWorld
  readonly gateway: Gateway
  readonly url: string
  /** Lets the gateway go, before the end. */
  close(): Promise<void>
  open(...script: readonly ScriptedAnswer[]): Conversation
  /** Sends a request; a body that is neither text nor bytes goes as JSON. Fails for an answer that is not as described. */
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: Record<string, unknown>
}

export interface GatewayWorldOptions extends Pick<WorldOptions, 'tools' | 'limits' | 'agents' | 'policy'> {
  /** Of the worker, once what comes before the tests has happened; undefined for none. */
  readonly worker?: () => Partial<WorkerOptions> | undefined
  /** What the model says to conversations without a script. Default: such a request is a violation. */
  readonly answerOthers?: ScriptedAnswer
  readonly gateway?: Partial<GatewayOptions>
  readonly serve?: Partial<ServeOptions>
}

/** Opens all of it before the tests of a file and closes it after them. */
export function gatewayWorld(options: GatewayWorldOptions = {}): GatewayWorld {
  const conversations = new Conversations()
  let world: TurnWorld
  let gateway: Gateway
  let served: ServedGateway
  let described: Described
  beforeAll(async () => {
    world = await TurnWorld.open({
      ...options,
      respond: async (request, entry) =>
        (await conversations.respond(request, entry)) ?? options.answerOthers,
    })
    const worker = options.worker === undefined ? {} : options.worker()
    if (worker !== undefined) await world.startWorker(worker)
    gateway = createGateway({
      turnstep: (tenant) => world.client.forTenant(tenant),
      authenticate: authenticateLocally({ token: 'console-token', corsOrigins: [] }),
      version: '1.2.3',
      ...options.gateway,
    })
    served = await serveGateway(gateway, { host: '127.0.0.1', port: 0, ...options.serve })
    const document = await send(`${served.url}/openapi.json`, { method: 'GET' })
    described = new Described(document.body as unknown as OpenApiDocument)
  })
  afterAll(async () => {
    await served.close()
    await world.close()
  })
  return {
    get world() {
      return world
    },
    get gateway() {
      return gateway
    },
    get url() {
      return served.url
    },
    close: () => served.close(),
    open: (...script) => conversations.open(world, ...script),
    async call(method, path, body, headers) {
      const answer = await send(`${served.url}${path}`, { method, body, headers })
      const contentType = answer.headers.get('content-type') ?? ''
      const problem = described.problemOf(method, path, { ...answer, contentType })
      if (problem !== undefined) throw new Error(`${problem}: ${JSON.stringify(answer.body)}`)
      return answer
    },
  }
}

async function send(
  url: string,
  request: {
    readonly method: string
    readonly body?: unknown
    readonly headers?: Readonly<Record<string, string>> | undefined
  },
): Promise<Answer> {
  const { method, body, headers = {} } = request
  const answer = await fetch(url, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined
      ? {}
      : { body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  const parsed: unknown = text.startsWith('{') ? JSON.parse(text) : text
  return { status: answer.status, headers: answer.headers, body: parsed as Record<string, unknown> }
}
