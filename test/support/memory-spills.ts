import { createHash } from 'node:crypto'
import type { SpillChunk, SpillOutcome, SpillReader, SpillWriter } from '../../src/core/spill.ts'
import { advance, TEXT_START } from '../../src/core/text-position.ts'

/** Spills of one Session, kept in memory, and what became of each that was begun. */
export class MemorySpills implements SpillReader {
  readonly fates: ('open' | 'kept' | 'dropped')[] = []
  readonly #chunks = new Map<string, readonly SpillChunk[]>()
  readonly #quotaBytes: number

  constructor(quotaBytes = Number.POSITIVE_INFINITY) {
    this.#quotaBytes = quotaBytes
  }

  /** Keeps chunks, and returns the id. */
  keep(texts: readonly string[]): string {
    let from = TEXT_START
    const chunks = texts.map((text, position) => {
      const chunk = { position, from, text }
      from = advance(from, text)
      return chunk
    })
    const id = createHash('sha256').update(texts.join('')).digest('hex')
    this.#chunks.set(id, chunks)
    return id
  }

  begin(): SpillWriter {
    const nth = this.fates.push('open') - 1
    const texts: string[] = []
    return {
      write: (text) => {
        texts.push(text)
        const bytes = Buffer.byteLength(texts.join(''))
        return Promise.resolve(bytes > this.#quotaBytes ? 'over-quota' : 'written')
      },
      finish: (): Promise<SpillOutcome> => {
        this.fates[nth] = 'kept'
        const id = this.keep(texts)
        return Promise.resolve({ kind: 'kept', spill: noteOf(id, texts.join('')) })
      },
      drop: () => {
        this.fates[nth] = 'dropped'
        return Promise.resolve()
      },
    }
  }

  text(id: string): string {
    return (this.#chunks.get(id) ?? []).map(({ text }) => text).join('')
  }

  find(id: string) {
    const text = this.text(id)
    const found = this.#chunks.has(id)
      ? { ...noteOf(id, text), keptAt: '2026-01-01T00:00:00.000Z' }
      : undefined
    return Promise.resolve(found)
  }

  chunk(id: string, query: Parameters<SpillReader['chunk']>[1]) {
    const chunks = this.#chunks.get(id) ?? []
    if ('position' in query) return Promise.resolve(chunks[query.position])
    const { line, column } = query.at
    const isBefore = ({ from }: SpillChunk): boolean =>
      from.line < line || (from.line === line && from.column <= column)
    return Promise.resolve(chunks.findLast(isBefore))
  }
}

function noteOf(id: string, text: string) {
  const lines = text.split('\n').length - (text.endsWith('\n') || text === '' ? 1 : 0)
  return { id, bytes: Buffer.byteLength(text), lines }
}
