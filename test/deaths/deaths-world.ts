/**
 * What surrounds the Turns that are to die, and outlives every worker: store, client, provider, tool server.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { Turnstep } from '../../src/client/index.ts'
import type { Event } from '../../src/core/event.ts'
import { workflowIdOf } from '../../src/core/ids.ts'
import type { SessionStore } from '../../src/core/ports.ts'
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { type ChatRequest, chatText, openingText } from '../../src/testing/chat-request.ts'
import { gate } from '../../src/testing/gate.ts'
import type { JournalEntry } from '../../src/testing/model-journal.ts'
import type { ScriptedReply } from '../../src/testing/scripted-answer.ts'
import { ScriptedModelServer } from '../../src/testing/scripted-model-server.ts'
import type { MortalTurn } from './mortal-turn.ts'
import { STAGES } from './points.ts'
import { ToolServer } from './tool-server.ts'

const PATIENCE_MS = 60_000
const NEVER = gate()

export class DeathsWorld {
  readonly address: string
  readonly folder: string
  readonly taskQueue = `deaths-${crypto.randomUUID()}`
  readonly store: SessionStore
  readonly temporal: Client
  readonly client: Turnstep
  readonly tools: ToolServer
  readonly turns = new Map<string, MortalTurn>()
  /** Hears of each Turn that the provider holds at its point. */
  onStanding: (turn: MortalTurn) => void = () => undefined
  #model: ScriptedModelServer | undefined

  private constructor(parts: Pick<DeathsWorld, 'address' | 'folder' | 'store' | 'temporal' | 'tools'>) {
    this.address = parts.address
    this.folder = parts.folder
    this.store = parts.store
    this.temporal = parts.temporal
    this.tools = parts.tools
    const { temporal, store, taskQueue } = this
    this.client = new Turnstep({ temporal, store, taskQueue })
  }

  /** `address` is that of a Temporal server. */
  static async open(address: string): Promise<DeathsWorld> {
    const folder = await mkdtemp(join(tmpdir(), 'turnstep-deaths-'))
    const world = new DeathsWorld({
      address,
      folder,
      store: await openSqliteStore({ path: join(folder, 'turnstep.db') }),
      temporal: new Client({ connection: await Connection.connect({ address }) }),
      tools: await ToolServer.start(),
    })
    world.#model = await ScriptedModelServer.start({
      respond: (request, entry) => world.#respond(request, entry),
    })
    return world
  }

  get database(): string {
    return join(this.folder, 'turnstep.db')
  }

  get model(): ScriptedModelServer {
    if (this.#model === undefined) throw new Error('The world is not open.')
    return this.#model
  }

  /** Sends the message that opens the Turn. */
  async begin({ id, effect }: MortalTurn): Promise<void> {
    await this.client.session(id).followup(`Call ${effect}. [${id}]`, { id })
  }

  /** Waits until the workflow of the Turn has ended. */
  async ended({ id }: MortalTurn): Promise<void> {
    await this.temporal.connection.withDeadline(Date.now() + PATIENCE_MS, () => this.#handle(id).result())
  }

  async log({ id }: MortalTurn): Promise<readonly Event[]> {
    return this.store.read({ tenant: 'default', session: id })
  }

  /** Whether the activity of a stage waits for a worker. */
  async isQueued({ id }: MortalTurn, stage: number): Promise<boolean> {
    const { raw } = await this.#handle(id).describe()
    return (raw.pendingActivities ?? []).some(
      ({ activityType, state }) =>
        activityType?.name === STAGES[stage]?.activity && Number(state) === SCHEDULED,
    )
  }

  /** Ends everything; fails if a provider would have refused a request. */
  async close(): Promise<void> {
    await this.temporal.connection.close()
    await this.store.close()
    await rm(this.folder, { recursive: true, force: true })
    await this.tools.close()
    await this.model.close()
  }

  #handle(id: string) {
    return this.temporal.workflow.getHandle(workflowIdOf({ tenant: 'default', session: id }))
  }

  /** A call of the tool that the first message names, then a text; held where the Turn is to die. */
  #respond(request: ChatRequest, entry: JournalEntry): ScriptedReply | undefined {
    const id = /\[([^\]]+)\]$/.exec(openingText(request))?.[1] ?? ''
    const turn = this.turns.get(id)
    if (turn === undefined) return undefined
    const receipt = request.messages.find(({ role }) => role === 'tool')
    const step = receipt === undefined ? 1 : 2
    turn.requests.push({ step, receipt: receipt === undefined ? '' : chatText(receipt) })
    const reply: ScriptedReply =
      step === 1
        ? { text: ['Let me ', 'see.'], calls: [{ tool: turn.effect, arguments: {} }] }
        : { text: ['It is ', 'done.'] }
    const { target } = turn
    if (target?.holder.by !== 'model server' || STAGES[target.stage]?.step !== step) return reply
    const { afterChunks } = target.holder
    void this.model.journal
      .waitFor((one) => one === entry && one.answeredAt !== undefined && one.chunksSent === afterChunks)
      .then(() => this.onStanding(turn))
    return { ...reply, interruptions: [{ kind: 'hold', afterChunks, until: NEVER }] }
  }
}

/** `PendingActivityState.SCHEDULED` of Temporal's API. */
const SCHEDULED = 1
