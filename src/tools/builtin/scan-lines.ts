/**
 * Lines of an opened file, read in blocks: memory does not grow with the file, nor with a line.
 */
import type { FileHandle } from 'node:fs/promises'

export interface ScannedFile {
  readonly handle: FileHandle
  /** What was there when it was opened; a file that grows is read up to here. */
  readonly bytes: number
}

const BLOCK_BYTES = 64 * 1024
const LINE_FEED = 0x0a
const EMPTY: Buffer = Buffer.alloc(0)
/** A file with a NUL byte in its beginning is taken to be binary, as Git does. */
const BINARY_PROBE_BYTES = 8 * 1024

/** Lines longer than this, in bytes, are handed on without the rest. */
export const MAX_LINE_BYTES = BLOCK_BYTES

/** Number of lines, of which the last need not end in a line feed; `binary` for a file that is not text. */
export type LineCount = number | 'binary'

export async function countLines(file: ScannedFile, signal: AbortSignal): Promise<LineCount> {
  let lines = 0
  let last = LINE_FEED
  for await (const block of blocks(file, signal)) {
    if (block === 'binary') return 'binary'
    for (let at = block.indexOf(LINE_FEED); at !== -1; at = block.indexOf(LINE_FEED, at + 1)) lines += 1
    last = block.at(-1) ?? last
  }
  return last === LINE_FEED ? lines : lines + 1
}

/**
 * Calls `visit` with each line in order, without its line end, and returns their number. Bytes that are not
 * UTF-8 become U+FFFD, a byte order mark is dropped. No line of a binary file is visited.
 */
export async function scanLines(
  file: ScannedFile,
  visit: (line: string, number: number) => void,
  signal: AbortSignal,
): Promise<LineCount> {
  let number = 0
  let rest = EMPTY
  let isOpen = false
  const visitLine = (line: Buffer) => {
    number += 1
    const text = line.toString('utf8')
    const unmarked = number === 1 && text.startsWith('\uFEFF') ? text.slice(1) : text
    visit(unmarked.endsWith('\r') ? unmarked.slice(0, -1) : unmarked, number)
  }
  for await (const block of blocks(file, signal)) {
    if (block === 'binary') return 'binary'
    let start = 0
    for (let at = block.indexOf(LINE_FEED); at !== -1; at = block.indexOf(LINE_FEED, start)) {
      visitLine(rest.length === 0 ? block.subarray(start, at) : joinBounded(rest, block.subarray(start, at)))
      rest = EMPTY
      start = at + 1
    }
    isOpen = start < block.length
    if (isOpen) rest = joinBounded(rest, block.subarray(start))
  }
  if (isOpen) visitLine(rest)
  return number
}

/** Ends with `binary` as its first item if the file is; the blocks share one buffer, each valid until the next is asked for. */
async function* blocks(
  { handle, bytes }: ScannedFile,
  signal: AbortSignal,
): AsyncGenerator<Buffer | 'binary'> {
  const buffer = Buffer.allocUnsafe(Math.max(1, Math.min(BLOCK_BYTES, bytes)))
  let position = 0
  while (position < bytes) {
    signal.throwIfAborted()
    const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, bytes - position), position)
    if (bytesRead === 0) return
    if (position === 0 && buffer.subarray(0, Math.min(bytesRead, BINARY_PROBE_BYTES)).includes(0)) {
      yield 'binary'
      return
    }
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** A copy, because the block's memory is used again; what is beyond the limit is dropped. */
function joinBounded(rest: Buffer, more: Buffer): Buffer {
  const room = MAX_LINE_BYTES - rest.length
  return room > 0 ? Buffer.concat([rest, more.subarray(0, room)]) : rest
}
