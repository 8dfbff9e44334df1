/**
 * A text that is still being written, cut where paragraphs end, so that only the last piece is laid out anew.
 */

const FENCE = /^ {0,3}(`{3,}|~{3,})/

/** The pieces together are the text. Nothing is cut within a fenced block of code, or before an indented line. */
export function markdownBlocks(text: string): readonly string[] {
  const blocks: string[] = []
  let block = ''
  let fence: string | undefined
  let isAfterBlank = false
  for (const line of text.split(/(?<=\n)/)) {
    const isBlank = line.trim() === ''
    if (isAfterBlank && !isBlank && fence === undefined && !/^\s/.test(line)) {
      blocks.push(block)
      block = ''
    }
    fence = fenceAfter(fence, line)
    block += line
    isAfterBlank = isBlank
  }
  return block === '' ? blocks : [...blocks, block]
}

/** Which fence of code is open after a line, if one is. */
export function fenceAfter(fence: string | undefined, line: string): string | undefined {
  const marker = FENCE.exec(line)?.[1]
  if (fence === undefined) return marker
  return marker?.startsWith(fence) === true && line.trim() === marker ? undefined : fence
}
