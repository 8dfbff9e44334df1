/**
 * A Session as a terminal sees it: shown as it goes, from the open Turn on if there is one.
 *
 * Owns what has been shown, which inputs were sent from here, and whether a Turn runs.
 */
import type { Session, StreamItem } from '../../client/index.ts'
import type { EndReason, Event } from '../../core/event.ts'
import { DEFAULT_TENANT, turnKey } from '../../core/ids.ts'
import { EXIT, exitCodeOfEnd } from '../exit-code.ts'
import { denyAtOnce } from '../nobody-approves.ts'
import { describeText } from '../output/describe-approval.ts'
import { printEvent } from '../output/json-lines.ts'
import type { Outlet } from '../output/outlet.ts'
import { Progress } from '../output/progress.ts'
import { TurnPrinter } from '../output/turn-printer.ts'
import type { Stack } from '../stack/stack.ts'

export interface ConversationOptions {
  readonly stack: Stack
  readonly sessionId: string
  readonly outlet: Outlet
  /** Prints events instead of text. */
  readonly json?: boolean
  /** Whether inputs sent from here are on the screen already. */
  readonly echoes: boolean
  /** Told whenever a Turn begins or ends. */
  readonly onChange?: () => void
  /** Nobody is there to ask: what waits for approval is denied. */
  readonly deniesApprovals?: boolean
}

export class Conversation {
  readonly session: Session
  readonly #options: ConversationOptions
  readonly #printer: TurnPrinter
  readonly #progress = new Progress()
  readonly #sent = new Set<string>()
  readonly #ended = new AbortController()
  /** Inputs of which neither a Turn's start nor another fate has been seen. */
  readonly #awaited = new Set<string>()
  #openTurn: string | undefined
  #seen = 0
  #code: number = EXIT.completed
  #wakeUps: (() => void)[] = []

  constructor(options: ConversationOptions) {
    this.#options = options
    this.session = options.stack.client.session(options.sessionId)
    this.#printer = new TurnPrinter({
      outlet: options.outlet,
      isOwnInput: (id) => options.echoes && this.#sent.has(id),
    })
  }

  /** Whether a Turn is open, or about to be. */
  get isRunning(): boolean {
    return this.#openTurn !== undefined || this.#awaited.size > 0
  }

  /** What is at work, when nothing was to be seen for a while. */
  get progress(): string | undefined {
    return this.#progress.text(Date.now())
  }

  /** The exit code of the last Turn that ended, or of the last input that came to no Turn. */
  get code(): number {
    return this.#code
  }

  /** Finds where to begin, which an open Turn decides, and announces that. To be called before anything is sent. */
  async join(): Promise<void> {
    const { store } = this.#options.stack
    const { seq, open } = await store.head(this.#key)
    this.#seen = seq
    if (open === undefined) return
    const start = await store.find(this.#key, turnKey(open.turnId, 'start'))
    if (start !== undefined) this.#seen = start.seq - 1
    this.#openTurn = open.turnId
    this.#options.outlet.note(
      `Turn ${open.turn} of session ${this.session.id} is still open. It goes on now:`,
    )
    this.#changed()
    // Whoever waits for a Turn closes it in the log when its workflow is gone.
    this.session.whenIdle({ signal: this.#ended.signal }).catch(() => undefined)
  }

  /** Shows everything from there on, until {@link stop}. */
  async follow(): Promise<void> {
    const { signal } = this.#ended
    const items = this.session.events({ follow: true, live: true, after: this.#seen, signal })
    for await (const item of items) this.#take(item)
  }

  /** Ends {@link follow}. */
  stop(): void {
    this.#ended.abort()
  }

  /** Sends a message that opens a Turn after those before it. */
  async send(text: string): Promise<string> {
    return this.#sending((id) => this.session.followup(text, { id }))
  }

  /** Sends a message into the running Turn. */
  async steer(text: string): Promise<string> {
    return this.#sending((id) => this.session.steer(text, { id }))
  }

  /** Waits until everything that is in the log now has been shown. */
  async catchUp(): Promise<void> {
    const { seq } = await this.#options.stack.store.head(this.#key)
    while (this.#seen < seq && !this.#ended.signal.aborted) {
      await new Promise<void>((resolve) => this.#wakeUps.push(resolve))
    }
  }

  get #key() {
    return { tenant: DEFAULT_TENANT, session: this.#options.sessionId }
  }

  /** Known before it is sent, so that its events are recognized however soon they come. */
  async #sending(send: (id: string) => Promise<unknown>): Promise<string> {
    const id = crypto.randomUUID()
    this.#sent.add(id)
    this.#awaited.add(id)
    this.#changed()
    try {
      await send(id)
    } catch (error) {
      this.#awaited.delete(id)
      this.#changed()
      throw error
    }
    return id
  }

  #take(item: StreamItem): void {
    const { json } = this.#options
    this.#progress.take(item, Date.now())
    if (json !== true) this.#printer.show(item)
    else if (item.kind === 'event') printEvent(item.event)
    if (this.#options.deniesApprovals === true) denyAtOnce(this.session, item, this.#options.outlet.note)
    else if (item.kind === 'event' && item.event.type === 'guardrail/held') this.#showHeld(item.event.callId)
    else if (item.kind === 'event' && item.event.type === 'approval/requested' && json !== true)
      this.#tellHow()
    if (item.kind === 'event') this.#note(item.event)
  }

  #tellHow(): void {
    this.#options.outlet.note('  /approve, /deny or /replan, with a note if you like')
  }

  /** What it says is not in the log: whoever may decide is told. */
  #showHeld(callId: string): void {
    const show = async (): Promise<void> => {
      const held = (await this.session.approvals()).find((one) => one.callId === callId)
      if (held?.kind === 'text') for (const line of describeText(held.text)) this.#options.outlet.note(line)
      this.#tellHow()
    }
    show().catch(() => undefined)
  }

  #note(event: Event): void {
    this.#seen = event.seq
    if (event.type === 'turn/start') this.#openTurn = event.turnId
    if (event.type === 'turn/end') this.#end(event.reason)
    if (event.type === 'input/refused' && this.#sent.has(event.inputId)) this.#code = EXIT.failed
    if (event.type === 'input/withdrawn' && this.#sent.has(event.inputId)) this.#code = EXIT.aborted
    if ('inputId' in event) this.#awaited.delete(event.inputId)
    this.#changed()
    for (const wake of this.#wakeUps.splice(0)) wake()
  }

  #end(reason: EndReason): void {
    this.#openTurn = undefined
    this.#code = exitCodeOfEnd(reason)
  }

  #changed(): void {
    this.#options.onChange?.()
  }
}
