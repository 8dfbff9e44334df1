import { headOf } from './printable-text.ts'
import { SPILL_CHUNK_CHARACTERS, type SpillOutcome, type SpillWriter } from './spill.ts'

/**
 * Holds a text until it is large enough to be spilled, and then writes it on in chunks.
 *
 * What was held is let go only when it is written, so a call that failed may be made again. After `drop` all that
 * comes is let go.
 */
export class SpillBuffer {
  readonly #aboveBytes: number
  readonly #open: () => Promise<SpillWriter>
  #held = ''
  #writer: SpillWriter | undefined
  #state: 'open' | 'over-quota' | 'dropped' = 'open'

  constructor(options: { readonly aboveBytes: number; readonly open: () => Promise<SpillWriter> }) {
    this.#aboveBytes = options.aboveBytes
    this.#open = options.open
  }

  /** `totalBytes` is the size of everything added so far, this text included. */
  async add(text: string, totalBytes: number): Promise<void> {
    if (this.#state !== 'open') return
    this.#held += text
    if (totalBytes <= this.#aboveBytes) return
    this.#writer ??= await this.#begin()
    await this.#writeOut(SPILL_CHUNK_CHARACTERS)
  }

  /** Undefined when the text was too small to be spilled. */
  async finish(): Promise<SpillOutcome | undefined> {
    if (this.#writer === undefined) return undefined
    await this.#writeOut(1)
    return this.#state === 'open' ? this.#writer.finish() : { kind: 'over-quota' }
  }

  async drop(): Promise<void> {
    if (this.#state === 'open') this.#state = 'dropped'
    this.#held = ''
    await this.#writer?.drop()
  }

  async #begin(): Promise<SpillWriter> {
    const writer = await this.#open()
    if (this.#isDropped()) await writer.drop()
    return writer
  }

  #isDropped(): boolean {
    return this.#state === 'dropped'
  }

  /** Writes chunks for as long as at least so much is held. */
  async #writeOut(atLeast: number): Promise<void> {
    while (this.#writer !== undefined && this.#state === 'open' && this.#held.length >= atLeast) {
      const chunk = headOf(this.#held, SPILL_CHUNK_CHARACTERS)
      const written = await this.#writer.write(chunk)
      if (written === 'over-quota') {
        this.#state = 'over-quota'
        this.#held = ''
        await this.#writer.drop()
      }
      this.#held = this.#held.slice(chunk.length)
    }
  }
}
