import { afterAll, beforeAll } from 'vitest'
import type { InputResult, Session } from '../../src/client/index.ts'
import type { Event } from '../../src/core/event.ts'
import { type ChatRequest, chatText, openingText } from '../../src/testing/chat-request.ts'
import type { JournalEntry } from '../../src/testing/model-journal.ts'
import type { ScriptedAnswer } from '../../src/testing/scripted-answer.ts'
import type { Respond } from '../../src/testing/scripted-model-server.ts'
import { TurnWorld, type WorldOptions } from './turn-world.ts'

const PATIENCE = { timeoutMs: 40_000 }

/** Scripts of Sessions that share one world, told apart by their first message. Open the world with `respond`. */
export class Conversations {
  readonly #scripts = new Map<string, ScriptedAnswer[]>()

  readonly respond: Respond = (request) => this.#scripts.get(keyOf(request))?.shift()

  /** A new Session whose model answers by this script. */
  open(world: TurnWorld, ...script: readonly ScriptedAnswer[]): Conversation {
    return this.openWith(undefined, world, script)
  }

  /** The same with another agent than the default one. */
  openWith(agent: string | undefined, world: TurnWorld, script: readonly ScriptedAnswer[]): Conversation {
    const session = world.client.session(world.newSessionId())
    const answers = [...script]
    this.#scripts.set(session.id, answers)
    return new Conversation({ world, session, script: answers, agent })
  }
}

/** One Session, its script, and what became of both. */
export class Conversation {
  readonly session: Session
  readonly #world: TurnWorld
  readonly #script: ScriptedAnswer[]
  readonly #agent: string | undefined

  constructor(of: {
    readonly world: TurnWorld
    readonly session: Session
    readonly script: ScriptedAnswer[]
    readonly agent?: string | undefined
  }) {
    this.#world = of.world
    this.session = of.session
    this.#script = of.script
    this.#agent = of.agent
  }

  get workflowId(): string {
    return `turnstep:default:${this.session.id}`
  }

  /** Sends the first followup, `f1`, which makes the conversation known to the model. */
  async begin(text = 'Go.'): Promise<void> {
    if (this.#agent !== undefined)
      await this.#world.client.createSession(this.session.id, { agent: this.#agent })
    await this.session.followup(`${text} [${this.session.id}]`, { id: 'f1' })
  }

  /** Sends the first followup and waits for the end of its Turn. */
  async run(text?: string): Promise<InputResult> {
    await this.begin(text)
    return this.result('f1')
  }

  async result(inputId: string): Promise<InputResult> {
    return this.session.turn(inputId).result(PATIENCE)
  }

  enqueue(...answers: readonly ScriptedAnswer[]): void {
    this.#script.push(...answers)
  }

  /** Requests of this conversation, in order. */
  get entries(): readonly JournalEntry[] {
    return this.#world.model.journal.chats.filter(
      (entry) => entry.bodyBytes > 0 && keyOf(entry.body) === this.session.id,
    )
  }

  get requests(): readonly ChatRequest[] {
    return this.entries.map((entry) => entry.body)
  }

  /** Waits for the nth request of this conversation, from 1, in a state. */
  async request(nth: number, isSo: (entry: JournalEntry) => boolean = () => true): Promise<JournalEntry> {
    return this.#world.model.journal.waitFor(
      (entry) => entry === this.entries[nth - 1] && isSo(entry),
      40_000,
    )
  }

  /** Waits until the nth request has streamed something and is still open. */
  async streaming(nth = 1): Promise<JournalEntry> {
    return this.request(nth, ({ chunksSent, endedAt }) => chunksSent > 0 && endedAt === undefined)
  }

  /** The log of the Session at rest, verified. */
  async log(): Promise<readonly Event[]> {
    await this.session.whenIdle(PATIENCE)
    return this.#world.settledLog(this.session.id)
  }

  /** Receipts by the log, `callId kind`, in order of commit. */
  async receipts(): Promise<readonly string[]> {
    return (await this.log()).flatMap((event) =>
      event.type === 'tool/result' ? [`${event.callId} ${event.kind}`] : [],
    )
  }
}

/** The id in brackets at the end of the first user message. */
function keyOf(request: ChatRequest): string {
  return /\[([^\]]+)\]$/.exec(openingText(request))?.[1] ?? ''
}

/** A world with one worker for all tests of a file, and Sessions in it with a script each. */
export interface SharedWorld {
  readonly world: TurnWorld
  open(...script: readonly ScriptedAnswer[]): Conversation
  openWith(agent: string, ...script: readonly ScriptedAnswer[]): Conversation
}

/** Opens the world before the tests of a file and closes it after them. */
export function sharedWorld(options: Pick<WorldOptions, 'tools' | 'limits' | 'agents'> = {}): SharedWorld {
  const conversations = new Conversations()
  let world: TurnWorld
  beforeAll(async () => {
    world = await TurnWorld.open({ ...options, respond: conversations.respond })
    await world.startWorker()
  })
  afterAll(() => world.close())
  return {
    get world() {
      return world
    },
    open: (...script) => conversations.open(world, ...script),
    openWith: (agent, ...script) => conversations.openWith(agent, world, script),
  }
}

/** What a request tells the model of its calls: the text of each receipt, in order, without its marks. */
export function receiptsIn(request: ChatRequest | undefined): readonly string[] {
  return (request?.messages ?? [])
    .filter(({ role }) => role === 'tool')
    .map((message) => unmarked(chatText(message)))
}

/** A receipt's text without the two lines that say where what came from outside begins and ends. */
export function unmarked(text: string): string {
  return text.replace(/<data ([0-9a-f]{8})>\n([\s\S]*)\n<\/data \1>$/, '$2')
}

/** What a request repeats of the model's own calls: name and argument text, in order. */
export function callsIn(request: ChatRequest | undefined): readonly string[] {
  return (request?.messages ?? []).flatMap(({ tool_calls: calls = [] }) =>
    calls.map((call) => `${call.function.name} ${call.function.arguments}`),
  )
}
