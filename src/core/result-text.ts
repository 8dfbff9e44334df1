/**
 * From the text of a result to what the model gets and the store keeps: printable, redacted, bounded, spilled.
 *
 * Text comes in pieces and memory does not grow with it. Whatever is shown or kept has been through all the steps
 * before; a text with NUL is binary, and of it only the size is told.
 */
import { BoundText, boundedText } from './bound-text.ts'
import { mixedDigest } from './mixed-digest.ts'
import { PrintableStream } from './printable-stream.ts'
import { endsInHalfPair, utf8Bytes } from './printable-text.ts'
import { type Redact, RedactWindows } from './redact-windows.ts'
import { binaryNote, NO_OUTPUT } from './render-result.ts'
import type { SpillNote, SpillWriter } from './spill.ts'
import { OVER_QUOTA_TEXT, spillNoteText } from './spill.ts'
import { SpillBuffer } from './spill-buffer.ts'

const DIGESTED_BYTES = 1024 * 1024

export interface ResultTextOptions {
  /** Default 4,000. */
  readonly maxCharacters?: number
  readonly redact?: Redact
  /** Where text that is cut is kept once it is above so many bytes. Without it nothing is spilled. */
  readonly spill?: { readonly aboveBytes: number; readonly open: () => Promise<SpillWriter> }
}

export interface FinalText {
  readonly content: string
  readonly spill?: SpillNote
  /** Of the whole text, where `content` is only its ends: two texts with the same ends may differ between them. */
  readonly digest?: string
}

export class ResultText {
  readonly #bound: BoundText
  readonly #printable = new PrintableStream()
  readonly #redacted: RedactWindows | undefined
  readonly #spill: SpillBuffer | undefined
  /** Of what came, up to {@link DIGESTED_BYTES}: beyond that the spill's id tells texts apart. */
  #digest = ''
  #half = ''
  #givenBytes = 0
  #isBinary = false
  #isBlank = true

  constructor({ maxCharacters, redact, spill }: ResultTextOptions) {
    this.#bound = new BoundText(maxCharacters)
    if (redact !== undefined) this.#redacted = new RedactWindows(redact)
    if (spill !== undefined) this.#spill = new SpillBuffer(spill)
  }

  /**
   * Adds a piece; `bytes` is its size where it was not UTF-8 before. Fails with `RedactionError`, and as the
   * spill's writer does.
   */
  async write(piece: string, bytes?: number): Promise<void> {
    const given = this.#half + piece
    const text = endsInHalfPair(given) ? given.slice(0, -1) : given
    this.#half = given.slice(text.length)
    this.#givenBytes += bytes ?? utf8Bytes(text)
    if (!this.#isBinary && text.includes('\0')) {
      this.#isBinary = true
      await this.#spill?.drop()
    }
    if (!this.#isBinary) await this.#take(this.#redact(this.#printable.write(text)))
  }

  /** After the last piece. */
  async end(): Promise<FinalText> {
    await this.#flush()
    if (this.#isBinary) return { content: binaryNote(this.#givenBytes) }
    const bounded = this.#bound.bounded()
    if (bounded.kind === 'whole' || this.#isBlank) {
      await this.#spill?.drop()
      // Some providers refuse content that is nothing but white space.
      return { content: this.#isBlank ? NO_OUTPUT : boundedText(bounded) }
    }
    const outcome = await this.#spill?.finish()
    switch (outcome?.kind) {
      case 'kept': {
        const { spill } = outcome
        return { content: boundedText(bounded) + spillNoteText(spill), spill, digest: spill.id }
      }
      case 'over-quota':
        return { content: boundedText(bounded) + OVER_QUOTA_TEXT, digest: this.#digest }
      case undefined:
        return { content: boundedText(bounded), digest: this.#digest }
    }
  }

  /** Nothing of it is kept. */
  async drop(): Promise<void> {
    await this.#spill?.drop()
  }

  /** Ends where the text broke off: what came so far, bounded, and nothing kept. Empty when nothing came. */
  async breakOff(): Promise<string> {
    await this.#spill?.drop()
    await this.#flush()
    if (this.#isBinary) return binaryNote(this.#givenBytes)
    return this.#isBlank ? '' : boundedText(this.#bound.bounded())
  }

  async #flush(): Promise<void> {
    const half = this.#half
    this.#half = ''
    if (this.#isBinary) return
    const rest = this.#printable.write(half) + this.#printable.end()
    await this.#take(this.#redact(rest) + (this.#redacted?.end() ?? ''))
  }

  #redact(text: string): string {
    return this.#redacted === undefined ? text : this.#redacted.write(text)
  }

  async #take(text: string): Promise<void> {
    if (text === '') return
    this.#bound.add(text)
    if (this.#bound.size.bytes <= DIGESTED_BYTES) this.#digest = mixedDigest(this.#digest + text)
    this.#isBlank &&= text.trim() === ''
    await this.#spill?.add(text, this.#bound.size.bytes)
  }
}
