/**
 * From what a tool returned to the content of its receipt: read → shape → render → redact → bound → spill.
 *
 * A stream is read while the tool's time runs, a value is rendered after it; both go through `ResultText`, piece by
 * piece, so that memory does not grow with them. Whatever comes out is small, however large the result was.
 */
import { describeThrown } from '../core/describe-tool-error.ts'
import { guarded, type Redact, RedactionError } from '../core/redact-windows.ts'
import { renderResult } from '../core/render-result.ts'
import { type FinalText, ResultText, type ResultTextOptions } from '../core/result-text.ts'
import { Breather } from './breather.ts'
import { isStream, readStream } from './read-stream.ts'

export type FinalResult =
  | ({ readonly kind: 'ok' } & FinalText)
  /** The tool has run, but the model does not get what it returned. `content` is written for the model. */
  | { readonly kind: 'unusable'; readonly content: string }

/** A value is looked at in pieces of this size, in UTF-16 units. */
const PIECE = 16 * 1024

/** The result of one call. */
export class Result {
  readonly #text: ResultText
  readonly #redact: Redact
  #hasBegun = false

  constructor(options: ResultTextOptions) {
    this.#text = new ResultText(options)
    this.#redact = guarded(options.redact ?? ((text) => text))
  }

  /** Whether a stream has been read from. */
  get hasBegun(): boolean {
    return this.#hasBegun
  }

  /**
   * Takes what the tool returned. A stream is read to its end; fails with what it fails with, and with the
   * signal's reason once that is aborted.
   */
  async receive(value: unknown, signal: AbortSignal): Promise<Received> {
    if (!isStream(value)) return { kind: 'value', value }
    try {
      this.#hasBegun = true
      await readStream(value, this.#text, signal)
      return { kind: 'read' }
    } catch (error) {
      if (error instanceof RedactionError) return { kind: 'withheld' }
      throw error
    }
  }

  /** After the tool has returned. */
  async finalize(received: Received, shape: Shape = (value) => value): Promise<FinalResult> {
    try {
      if (received.kind === 'withheld') return await this.#withhold()
      const problem = received.kind === 'value' ? await this.#render(received.value, shape) : undefined
      return problem ?? { kind: 'ok', ...(await this.#text.end()) }
    } catch (error) {
      if (error instanceof RedactionError) return this.#withhold()
      throw error
    }
  }

  /** The receipt of a result that broke off: what went wrong, and what came before. */
  async breakOff(failure: string): Promise<string> {
    try {
      const before = await this.#text.breakOff()
      const redacted = this.#redact(failure)
      return before === '' ? redacted : `${redacted}\n\nWhat it returned before that:\n${before}`
    } catch (error) {
      if (error instanceof RedactionError) return WITHHELD_FAILURE
      throw error
    }
  }

  /** A result that cannot be redacted is no result. */
  async #withhold(): Promise<FinalResult> {
    await this.#text.drop()
    return { kind: 'unusable', content: WITHHELD }
  }

  async #render(returned: unknown, shape: Shape): Promise<FinalResult | undefined> {
    let value: unknown
    try {
      value = shape(returned)
    } catch (error) {
      // It ran; what it returned is withheld rather than shown as it is.
      return { kind: 'unusable', content: this.#redact(unshapedText(error)) }
    }
    const rendered =
      typeof value === 'string' ? ({ kind: 'text', text: value } as const) : renderResult(value)
    if (rendered.kind === 'unserializable')
      return { kind: 'unusable', content: this.#redact(rendered.problem) }
    const breather = new Breather()
    for (let at = 0; at < rendered.text.length; at += PIECE) {
      await this.#text.write(rendered.text.slice(at, at + PIECE))
      await breather.breathe()
    }
    return undefined
  }
}

/** What a tool has returned, once that is all here. */
export type Received =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'read' }
  | { readonly kind: 'withheld' }

/** Picks from what a tool returned what the model is to see. Streams pass as they are. */
export type Shape = (value: unknown) => unknown

function unshapedText(error: unknown): string {
  return `The tool ran, but its result could not be prepared for you and is withheld: ${describeThrown(error, 200)}`
}

const WITHHELD =
  'The tool ran, but what it returned could not be redacted, so it is withheld. Whatever the tool did has been done.'

const WITHHELD_FAILURE =
  'The tool did not end well, and what it said could not be redacted, so it is withheld. It may or may not have taken effect.'
