/**
 * Assembles tool calls from the deltas of a stream, as real servers send them.
 *
 * Invariants: (1) no argument text is lost: every fragment belongs to exactly one call; (2) a call whose argument
 * JSON has begun and not ended takes every fragment at its place, whatever id or name comes with it; (3) ids that
 * servers send tell calls apart while they stream, and are then forgotten, because some servers reuse one.
 */
import type { RawCall } from '../core/ports.ts'
import { JsonScanner, splitJsonObjects } from './split-json-objects.ts'

/** One element of `delta.tool_calls`, fields that are absent or of the wrong type left out. */
export interface CallDelta {
  readonly index?: number
  readonly id?: string
  readonly name?: string
  readonly argumentsText?: string
}

interface PendingCall {
  readonly index: number | undefined
  id: string | undefined
  readonly nameParts: string[]
  readonly fragments: string[]
  readonly scanner: JsonScanner
  isAnnounced: boolean
}

export class CallAssembler {
  readonly #calls: PendingCall[] = []
  readonly #knownTools: ReadonlySet<string>
  readonly #onCall: (tool: string) => void

  /** `onCall` is told the name of each call once, as soon as the name is sure. */
  constructor(knownTools: ReadonlySet<string>, onCall: (tool: string) => void) {
    this.#knownTools = knownTools
    this.#onCall = onCall
  }

  get isEmpty(): boolean {
    return this.#calls.length === 0
  }

  /** Takes the calls of one chunk. Two elements of one chunk that both bear a name are two calls. */
  add(deltas: readonly CallDelta[]): void {
    const touched = new Set<PendingCall>()
    for (const delta of deltas) {
      if (!delta.name && !delta.argumentsText && !delta.id) continue
      const current = this.#find(delta)
      const isNew = current === undefined || this.#begins(delta, current, touched)
      const call = isNew ? this.#open(delta) : current
      this.#extend(call, delta)
      touched.add(call)
    }
  }

  /** The calls in order of their beginning. `isComplete` says that the answer ended well, so that none was cut. */
  finish(isComplete: boolean): readonly RawCall[] {
    return this.#calls.flatMap((call, position) => {
      this.#announce(call)
      const isLast = position === this.#calls.length - 1
      return toRawCalls(this.#nameOf(call), call, isComplete || !isLast)
    })
  }

  #find(delta: CallDelta): PendingCall | undefined {
    if (delta.index !== undefined) return this.#calls.findLast((call) => call.index === delta.index)
    if (delta.id) {
      const known = this.#calls.findLast((call) => call.id === delta.id)
      if (known !== undefined || delta.name) return known
    }
    return this.#calls.at(-1)
  }

  /** Whether a delta that came at the place of a call is the beginning of another one. */
  #begins(delta: CallDelta, current: PendingCall, touched: ReadonlySet<PendingCall>): boolean {
    if (!delta.name || current.scanner.isOpen) return false
    if (touched.has(current) && current.nameParts.length > 0) return true
    const isOtherId = Boolean(delta.id) && current.id !== undefined && delta.id !== current.id
    if (isOtherId) return true
    if (current.scanner.isComplete) return Boolean(delta.argumentsText)
    const name = this.#nameOf(current)
    return name !== delta.name && this.#knownTools.has(name) && this.#knownTools.has(delta.name)
  }

  #open(delta: CallDelta): PendingCall {
    const previous = this.#calls.at(-1)
    if (previous !== undefined) this.#announce(previous)
    const call: PendingCall = {
      index: delta.index,
      id: undefined,
      nameParts: [],
      fragments: [],
      scanner: new JsonScanner(),
      isAnnounced: false,
    }
    this.#calls.push(call)
    return call
  }

  #extend(call: PendingCall, delta: CallDelta): void {
    if (delta.id) call.id ??= delta.id
    if (delta.name) call.nameParts.push(delta.name)
    if (delta.argumentsText) {
      call.fragments.push(delta.argumentsText)
      call.scanner.read(delta.argumentsText)
    }
    if (delta.argumentsText || this.#knownTools.has(this.#nameOf(call))) this.#announce(call)
  }

  #announce(call: PendingCall): void {
    if (call.isAnnounced) return
    call.isAnnounced = true
    this.#onCall(this.#nameOf(call))
  }

  /** One name out of what came: pieces to be joined, one name again and again, or one that grows. */
  #nameOf(call: PendingCall): string {
    const joined = call.nameParts.join('')
    const last = call.nameParts.at(-1) ?? ''
    if (call.nameParts.length < 2 || this.#knownTools.has(joined)) return joined
    if (this.#knownTools.has(last)) return last
    const grows = call.nameParts.every(
      (part, index) => index === 0 || part.startsWith(call.nameParts[index - 1] ?? ''),
    )
    return grows ? last : joined
  }
}

function toRawCalls(tool: string, call: PendingCall, hasEnded: boolean): readonly RawCall[] {
  const text = call.fragments.join('')
  const objects = splitJsonObjects(text)
  if (objects !== undefined) return objects.map((argumentsText) => ({ tool, argumentsText, isWhole: true }))
  const isWhole = call.scanner.isBlank
    ? hasEnded
    : call.scanner.isComplete || (hasEnded && !call.scanner.isOpen)
  return [{ tool, argumentsText: text, isWhole }]
}
