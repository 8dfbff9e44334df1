/**
 * Private keys: PEM and PGP blocks, also cut off ones, escaped ones and those in base64; PuTTY's and age's.
 */

import type { Detector, Span } from './detector.ts'
import { matchesOf } from './matches-of.ts'

const BLOCK_BEGINNING = /-{4,5} ?BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}/g
const BLOCK_END = /-{4,5} ?END (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}/y

/** A PuTTY file says how many lines follow. */
const PUTTY_BEGINNING = /(?<![\w-])Private-Lines: \d{1,4}/g

/** What stands between the lines of a block: line ends, escaped ones too, indentation, quoting. */
const JOINT = /(?:[\s>|"'`,;]|\\[nrt]|\\\r?\n){1,64}/y
/** A line of a block; a shorter one is its last, or a checksum. */
const LINE = /[A-Za-z0-9+/=_-]{16,}/y
const LAST_LINE = /[A-Za-z0-9+/=]{1,64}(?=["'`,;\\]|[ \t]{0,8}(?:[\r\n]|$|-{4}))/y
const HEADER = /(?:Proc-Type|DEK-Info|Version|Comment|Subject|X-[A-Za-z-]{1,40}):[^\n\\]{0,200}/y

/** "-----BEGIN (RSA |EC |DSA |OPENSSH |ENCRYPTED |PGP )PRIVATE KEY", in base64. */
const IN_BASE64 =
  /LS0tLS1CRUdJTi(?:BQUklWQVRFIEtFW|BSU0EgUFJJVkFURS|BFQyBQUklWQVRFI|BEU0EgUFJJVkFURS|BPUEVOU1NIIFBSS|BFTkNSWVBURUQgU|BQR1AgUFJJVkFUR)[A-Za-z0-9+/_-]*={0,2}/g

const AGE = /(?<![A-Za-z0-9])AGE-SECRET-KEY-1[A-Z0-9]{58}(?![A-Za-z0-9])/g

/** What every text with a key in it says: a shortcut for all others. */
const MENTION = /PRIVATE KEY|Private-Lines|LS0tLS1CRUdJTi|AGE-SECRET-KEY/

export const privateKey: Detector<'private-key'> = {
  name: 'private-key',
  *find(text) {
    if (!MENTION.test(text)) return
    for (const block of findBlocks(text)) if (block.hasContent) yield block
    for (const pattern of [IN_BASE64, AGE]) {
      for (const match of matchesOf(text, pattern))
        yield { start: match.index, end: match.index + match[0].length }
    }
  },
}

/** Where a block begins that has not ended when the text does; undefined when there is none. */
export function openBlockStart(text: string): number | undefined {
  for (const block of findBlocks(text)) if (!block.isClosed && block.end === text.length) return block.start
  return undefined
}

/** Where the block begins that an index lies within; undefined when it lies in none. */
export function startOfBlockAt(text: string, index: number): number | undefined {
  for (const block of findBlocks(text)) if (block.start < index && index < block.end) return block.start
  return undefined
}

interface Block extends Span {
  readonly hasContent: boolean
  readonly isClosed: boolean
}

function* findBlocks(text: string): Generator<Block> {
  let covered = 0
  for (const pattern of [BLOCK_BEGINNING, PUTTY_BEGINNING]) {
    covered = 0
    for (const match of matchesOf(text, pattern)) {
      if (match.index < covered) continue
      const block = readBlock(text, match.index, match.index + match[0].length)
      covered = block.end
      yield block
    }
  }
}

/** Reads on from a beginning for as long as it looks like the inside of a key. */
function readBlock(text: string, start: number, from: number): Block {
  let end = from
  let lines = 0
  for (;;) {
    const joint = reach(JOINT, text, end)
    const ended = reach(BLOCK_END, text, joint ?? end)
    if (ended !== undefined) return { start, end: ended, hasContent: true, isClosed: true }
    if (joint === undefined) break
    const line = reach(HEADER, text, joint) ?? reach(LINE, text, joint)
    if (line !== undefined) lines += 1
    const next = line ?? (lines > 0 ? reach(LAST_LINE, text, joint) : undefined)
    if (next === undefined) {
      // Nothing but white space is left: whatever follows may belong to the block.
      if (joint === text.length) end = joint
      break
    }
    end = next
  }
  return { start, end, hasContent: lines > 0, isClosed: false }
}

/** Where a sticky pattern ends if it matches at an index. */
function reach(pattern: RegExp, text: string, index: number): number | undefined {
  pattern.lastIndex = index
  const match = pattern.exec(text)
  return match === null ? undefined : index + match[0].length
}
