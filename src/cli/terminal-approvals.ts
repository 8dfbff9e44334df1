/**
 * Asking on a terminal for what waits for approval, one after the other.
 */
import { createInterface, type Interface } from 'node:readline/promises'
import type { Session, StreamItem } from '../client/index.ts'
import { heldIdOf } from '../core/ids.ts'
import { describeText } from './output/describe-approval.ts'
import type { Outlet } from './output/outlet.ts'

export class TerminalApprovals {
  readonly #session: Session
  readonly #outlet: Outlet
  /** Opened with the first question. */
  #lines: Interface | undefined
  #asking: Promise<void> = Promise.resolve()
  readonly #closed = new AbortController()
  /** Calls that were decided elsewhere, or with the end of their Turn. */
  readonly #settled = new Set<string>()

  constructor(session: Session, outlet: Outlet) {
    this.#session = session
    this.#outlet = outlet
  }

  take(item: StreamItem): void {
    if (item.kind !== 'event') return
    const { event } = item
    if (event.type === 'approval/decided' || event.type === 'tool/result') this.#settled.add(event.callId)
    if (event.type === 'guardrail/judged' && event.by !== undefined)
      this.#settled.add(heldIdOf({ turn: event.turn, step: event.step ?? 0 }))
    if (event.type === 'approval/requested') {
      const { callId, argumentsDigest } = event
      this.#enqueue(() => this.#ask(`Run ${callId}?`, { callId, argumentsDigest }))
    }
    if (event.type === 'guardrail/held') this.#enqueue(() => this.#askOfText(event.callId))
  }

  #enqueue(ask: () => Promise<void>): void {
    this.#asking = this.#asking.then(ask).catch(() => undefined)
  }

  async #askOfText(callId: string): Promise<void> {
    const held = (await this.#session.approvals()).find((one) => one.callId === callId)
    if (held?.kind !== 'text') return
    for (const line of describeText(held.text)) this.#outlet.note(line)
    await this.#ask(`Say it (${callId})?`, held)
  }

  close(): void {
    this.#closed.abort()
    this.#lines?.close()
  }

  async #ask(
    what: string,
    { callId, argumentsDigest }: { readonly callId: string; readonly argumentsDigest: string },
  ): Promise<void> {
    this.#lines ??= createInterface({ input: process.stdin, output: process.stderr })
    while (!this.#settled.has(callId) && !this.#closed.signal.aborted) {
      this.#outlet.endLine()
      const { signal } = this.#closed
      const answer = (await this.#lines.question(`${what} yes or no: `, { signal })).trim()
      const isYes = /^y(es)?$/i.test(answer)
      // Anything but a plain answer decides nothing.
      if (!isYes && !/^no?$/i.test(answer)) continue
      await this.#session
        .decide(callId, { decision: isYes ? 'approve' : 'deny', argumentsDigest, by: 'terminal' })
        .catch((error: unknown) => this.#outlet.note(error instanceof Error ? error.message : String(error)))
      return
    }
  }
}
