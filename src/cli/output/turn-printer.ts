/**
 * Shows Turns as they go: text as it streams, a line for each tool call, the end if it is not a plain success.
 *
 * Owns what of the message that is being written has been shown, so that a text that streams, starts over or
 * is committed is shown once.
 */
import type { StreamItem } from '../../client/index.ts'
import type { Event, EventOf } from '../../core/event.ts'
import { type ToolCall, textOf } from '../../core/message.ts'
import { describeApproval, describeHeld } from './describe-approval.ts'
import { describeCall } from './describe-call.ts'
import { describeEnd } from './describe-end.ts'
import type { Outlet } from './outlet.ts'
import { oneLine, TerminalText } from './terminal-text.ts'

const MAX_LINE = 200

export interface TurnPrinterOptions {
  readonly outlet: Outlet
  /** Whether this terminal sent the input: its text need not be shown again. */
  readonly isOwnInput: (inputId: string) => boolean
}

export class TurnPrinter {
  readonly #outlet: Outlet
  readonly #isOwnInput: (inputId: string) => boolean
  readonly #calls = new Map<string, ToolCall>()
  readonly #started = new Set<string>()
  #terminal = new TerminalText()
  /** Of the message that is being written: what is shown, and what the present attempt has said. */
  #shown = ''
  #said = ''
  #isThinking = false

  constructor({ outlet, isOwnInput }: TurnPrinterOptions) {
    this.#outlet = outlet
    this.#isOwnInput = isOwnInput
  }

  show(item: StreamItem): void {
    if (item.kind === 'event') this.#showEvent(item.event)
    else if (item.kind === 'reset') this.#said = ''
    else if (item.delta.text !== undefined) this.#advance(this.#said + item.delta.text)
    else if (item.delta.reasoning !== undefined) this.#showThinking()
  }

  /** That a model thinks is shown once a message, what it thinks is not. */
  #showThinking(): void {
    if (!this.#isThinking && this.#shown === '') this.#outlet.note('(thinking …)')
    this.#isThinking = true
  }

  #showEvent(event: Event): void {
    switch (event.type) {
      case 'user/message':
        this.#showInput(event)
        break
      case 'assistant/message':
        this.#showMessage(event)
        break
      case 'tool/call':
        this.#started.add(event.callId)
        this.#showCall(event.callId)
        break
      case 'tool/result':
        this.#showResult(event)
        break
      case 'approval/requested':
        for (const line of describeApproval(event)) this.#outlet.note(line)
        break
      case 'guardrail/held':
        for (const line of describeHeld(event)) this.#outlet.note(line)
        break
      case 'guardrail/judged':
        if (event.by !== undefined) this.#outlet.note(`  ${event.verdict}, by ${oneLine(event.by, 64)}`)
        break
      case 'approval/decided':
        this.#outlet.note(`  ${event.callId}: ${event.decision}, by ${oneLine(event.by, 64)}`)
        break
      case 'input/withdrawn':
        this.#outlet.note(`Withdrawn, not run: ${oneLine(textOf(event.content), MAX_LINE)}`)
        break
      case 'input/refused':
        this.#outlet.note(`Refused (${event.reason}): input ${event.inputId}`)
        break
      case 'turn/end':
        this.#endMessage()
        for (const line of describeEnd(event)) this.#outlet.note(line)
        break
      default:
    }
  }

  #showInput(event: EventOf<'user/message'>): void {
    const isOwn = this.#isOwnInput(event.inputId)
    if (isOwn && event.via === 'followup') return
    const text = oneLine(textOf(event.content), MAX_LINE)
    this.#outlet.note(event.via === 'steer' ? `» ${text}` : `> ${text}`)
  }

  #showMessage(event: EventOf<'assistant/message'>): void {
    for (const call of event.calls) this.#calls.set(call.callId, call)
    if (event.text !== '' || this.#shown !== '') this.#advance(event.text, 'whole')
    this.#endMessage()
    if (event.interrupted === true && event.text !== '') this.#outlet.note('(interrupted)')
  }

  /** Shows what the attempt's text, as far as it is known, adds to what is shown. */
  #advance(text: string, extent: 'part' | 'whole' = 'part'): void {
    this.#said = text
    const isBehind = this.#shown.startsWith(text)
    if (isBehind && (extent === 'part' || text === this.#shown)) return
    if (!text.startsWith(this.#shown)) {
      this.#endLine()
      this.#outlet.note('(the answer starts over)')
      this.#shown = ''
    }
    this.#outlet.say(this.#terminal.push(text.slice(this.#shown.length)))
    this.#shown = text
  }

  #endMessage(): void {
    this.#endLine()
    this.#shown = ''
    this.#said = ''
    this.#isThinking = false
  }

  #endLine(): void {
    this.#outlet.say(this.#terminal.end())
    this.#outlet.endLine()
  }

  #showCall(callId: string): void {
    const call = this.#calls.get(callId)
    if (call !== undefined) this.#outlet.note(`→ ${describeCall(call.tool, call.arguments)}`)
  }

  #showResult(event: EventOf<'tool/result'>): void {
    if (!this.#started.has(event.callId)) this.#showCall(event.callId)
    if (event.kind === 'ok') return
    const tool = this.#calls.get(event.callId)?.tool ?? event.callId
    this.#outlet.note(`  ${oneLine(tool, 64)}: ${event.kind}. ${oneLine(event.content, MAX_LINE)}`)
  }
}
