/**
 * A chat in the terminal: what is typed opens Turns or steers the one that runs; what the agent says streams.
 */
import { EXIT } from '../exit-code.ts'
import { onInterrupt } from '../interrupts.ts'
import type { Stack } from '../stack/stack.ts'
import { ChatScreen } from './chat-screen.ts'
import { Conversation } from './conversation.ts'

/**
 * What Ctrl-C does while a Turn runs: `leave` leaves it open, for the next start to go on with; `stop-turn` aborts
 * it, and a second one leaves. When none runs, it leaves.
 */
export type CtrlC = 'leave' | 'stop-turn'

export interface TerminalChatOptions {
  readonly stack: Stack
  readonly sessionId: string
  readonly ctrlC: CtrlC
}

const CTRL_C_HELP: Readonly<Record<CtrlC, string>> = {
  leave: 'Ctrl-C leaves; a turn that is open goes on with the next start.',
  'stop-turn': 'Ctrl-C stops the running turn; again, or when none runs, it leaves.',
}

/** How often what is at work is told anew. */
const TICK_MS = 1_000

export class TerminalChat {
  /** Gets lines for a person. */
  readonly screen: ChatScreen
  readonly #conversation: Conversation
  readonly #ctrlC: CtrlC
  readonly #left: Promise<number>
  readonly #failure: Promise<never>
  #leave: (code: number) => void = () => undefined
  #presses = 0

  constructor({ stack, sessionId, ctrlC }: TerminalChatOptions) {
    this.#ctrlC = ctrlC
    this.#failure = stack.failure
    this.#left = new Promise((resolve) => {
      this.#leave = resolve
    })
    this.screen = new ChatScreen({
      input: process.stdin,
      output: process.stdout,
      onLine: (line) => this.#takeLine(line.trim()),
      onInterrupt: () => this.#interrupt(),
      onEnd: () => this.#leave(EXIT.completed),
    })
    this.#conversation = new Conversation({
      stack,
      sessionId,
      outlet: this.screen,
      echoes: true,
      onChange: () => this.#refresh(),
    })
  }

  /** Chats until the user leaves, and returns the exit code. */
  async run(): Promise<number> {
    const ignore = onInterrupt((kind) =>
      kind === 'interrupt' ? this.#interrupt() : this.#leave(EXIT.terminated),
    )
    let ticking: NodeJS.Timeout | undefined
    try {
      this.screen.note(`Type a message. ${CTRL_C_HELP[this.#ctrlC]} /help tells more.`)
      await this.#conversation.join()
      this.#refresh()
      const following = this.#conversation.follow()
      ticking = setInterval(() => this.#refresh(), TICK_MS)
      const code = await Promise.race([this.#left, following.then(() => this.#left), this.#failure])
      if (this.#conversation.isRunning)
        this.screen.note('Leaving. The open turn goes on with the next start.')
      return code
    } finally {
      ignore()
      clearInterval(ticking)
      this.#conversation.stop()
      this.screen.close()
    }
  }

  #takeLine(text: string): void {
    const [, name, rest = ''] =
      /^(\/(?:stop|queue|quit|help|approve|deny|replan))(?:\s+(.*))?$/s.exec(text) ?? []
    if (name === '/stop') this.#stopTurn()
    else if (name === '/quit') this.#leave(EXIT.completed)
    else if (name === '/help') this.#help()
    else if (name === '/approve' || name === '/deny' || name === '/replan')
      this.#tell(this.#decide(name.slice(1) as 'approve' | 'deny' | 'replan', rest))
    else if (name === '/queue' && rest !== '') this.#tell(this.#conversation.send(rest))
    else if (name === '/queue') this.screen.note('/queue TEXT  needs a message.')
    else if (/^\/\w+$/.test(text))
      this.screen.note(`There is no command ${text}. /help tells which there are.`)
    else if (text !== '') this.#say(text)
  }

  #say(text: string): void {
    const { isRunning } = this.#conversation
    this.#tell(isRunning ? this.#conversation.steer(text) : this.#conversation.send(text))
  }

  /** `/approve [CALL] [NOTE]`; without a call the only one that waits. */
  async #decide(decision: 'approve' | 'deny' | 'replan', rest: string): Promise<void> {
    const { session } = this.#conversation
    const approvals = await session.approvals()
    const [first = '', ...words] = rest.trim().split(/\s+/)
    const named = approvals.find(({ callId }) => callId === first)
    const approval = named ?? (approvals.length === 1 ? approvals[0] : undefined)
    if (approval === undefined) {
      const waiting = approvals.map(({ callId }) => callId).join(', ')
      this.screen.note(waiting === '' ? 'Nothing waits for approval.' : `Say which: ${waiting}`)
      return
    }
    const note = named === undefined ? rest.trim() : words.join(' ')
    const { callId, argumentsDigest } = approval
    await session.decide(callId, {
      decision,
      argumentsDigest,
      by: 'terminal',
      ...(note === '' ? {} : { note }),
    })
  }

  #interrupt(): void {
    const { isRunning } = this.#conversation
    if (isRunning) this.#presses += 1
    if (isRunning && this.#ctrlC === 'stop-turn' && this.#presses === 1) this.#stopTurn()
    else this.#leave(isRunning ? EXIT.aborted : EXIT.completed)
  }

  #stopTurn(): void {
    this.screen.note('Stopping …')
    this.#tell(this.#conversation.session.abort())
  }

  #help(): void {
    this.screen.note(
      'Enter sends. While a turn runs (») it steers that turn: the message joins at its next step.',
    )
    this.screen.note('/queue TEXT  a message for after the running turn')
    this.screen.note('/stop        stops the running turn; what is queued is withdrawn')
    this.screen.note('/approve [CALL] [NOTE], /deny, /replan  decide on what waits for approval')
    this.screen.note('/quit        leaves, as Ctrl-D does')
    this.screen.note(CTRL_C_HELP[this.#ctrlC])
  }

  /** Says so when something that was sent did not arrive. */
  #tell(sent: Promise<unknown>): void {
    sent.catch((error: unknown) => this.screen.note(error instanceof Error ? error.message : String(error)))
  }

  #refresh(): void {
    if (!this.#conversation.isRunning) this.#presses = 0
    const { isRunning, progress } = this.#conversation
    const before = progress === undefined ? '' : `(${progress}) `
    this.screen.prompt(isRunning ? `${before}» ` : '> ')
  }
}
