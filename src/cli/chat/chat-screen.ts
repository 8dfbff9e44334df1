/**
 * A terminal with a prompt at the bottom, above which text streams.
 *
 * 1. Output ends in at most one unfinished row; the prompt is below it, with whatever has been typed.
 * 2. Each write takes the prompt away, goes on where the output ended, and puts the prompt back.
 */
import { clearScreenDown, createInterface, cursorTo, type Interface, moveCursor } from 'node:readline'
import { dimmed, type Outlet } from '../output/outlet.ts'
import { EMPTY_ROW, extendRow, rowsBelow } from './terminal-row.ts'

export interface ChatScreenOptions {
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream
  readonly onLine: (line: string) => void
  readonly onInterrupt: () => void
  /** The user has ended the input: Ctrl-D. */
  readonly onEnd: () => void
}

export class ChatScreen implements Outlet {
  readonly #output: NodeJS.WriteStream
  readonly #lines: Interface
  #row = EMPTY_ROW
  #wantsPrompt = false
  #isPromptShown = false
  #isClosed = false

  constructor({ input, output, onLine, onInterrupt, onEnd }: ChatScreenOptions) {
    this.#output = output
    this.#lines = createInterface({ input, output, terminal: true, historySize: 200 })
    this.#lines.on('line', (line) => {
      this.#takeLine(line)
      onLine(line)
    })
    this.#lines.on('SIGINT', onInterrupt)
    this.#lines.on('close', () => {
      if (!this.#isClosed) onEnd()
    })
  }

  say(text: string): void {
    if (text !== '') this.#above(() => this.#write(text))
  }

  endLine(): void {
    if (this.#row.column > 0) this.say('\n')
  }

  note(line: string): void {
    this.#above(() => {
      if (this.#row.column > 0) this.#write('\n')
      this.#output.write(`${dimmed(line, this.#output)}\n`)
    })
  }

  /** Shows this prompt from now on. */
  prompt(text: string): void {
    if (this.#wantsPrompt && this.#lines.getPrompt() === text) return
    this.#above(() => this.#lines.setPrompt(text))
    this.#wantsPrompt = true
    this.#showPrompt()
  }

  /** Gives the terminal back. */
  close(): void {
    this.#hidePrompt()
    this.#wantsPrompt = false
    this.endLine()
    this.#isClosed = true
    this.#lines.close()
  }

  #above(write: () => void): void {
    this.#hidePrompt()
    write()
    this.#showPrompt()
  }

  #write(text: string): void {
    this.#output.write(text)
    this.#row = extendRow(this.#row, text, this.#columns)
  }

  #hidePrompt(): void {
    if (!this.#isPromptShown || this.#isClosed) return
    this.#isPromptShown = false
    this.#moveToPrompt(this.#lines.getCursorPos().rows)
    clearScreenDown(this.#output)
    if (this.#row.column > 0 && this.#row.column < this.#columns) {
      moveCursor(this.#output, 0, -1)
      cursorTo(this.#output, this.#row.column)
    } else this.#row = EMPTY_ROW
  }

  #showPrompt(): void {
    if (!this.#wantsPrompt || this.#isPromptShown || this.#isClosed) return
    if (this.#row.column > 0) this.#output.write('\n')
    // Readline would first go up to the row in which its prompt was; now it begins in this one.
    Object.assign(this.#lines, { prevRows: 0 })
    this.#lines.prompt(true)
    this.#isPromptShown = true
  }

  /** A line was entered, and the cursor is below it. In the middle of a row of output it moves above that row. */
  #takeLine(line: string): void {
    const typed = `${this.#lines.getPrompt()}${line}`
    this.#isPromptShown = false
    if (this.#row.column > 0) {
      this.#moveToPrompt(rowsBelow(typed, this.#columns) + 2)
      clearScreenDown(this.#output)
      this.#output.write(`${typed}\n${this.#row.text}`)
    }
    this.#showPrompt()
  }

  #moveToPrompt(rows: number): void {
    moveCursor(this.#output, 0, -rows)
    cursorTo(this.#output, 0)
  }

  get #columns(): number {
    return Math.max(this.#output.columns ?? 80, 20)
  }
}
