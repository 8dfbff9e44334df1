/**
 * The tool that every subject of the benchmark has.
 */
export const LOOKUP_DESCRIPTION = 'Looks something up.'

export const LOOKUP_PARAMETERS = /** @type {const} */ ({
  type: 'object',
  properties: { n: { type: 'integer' }, bytes: { type: 'integer' }, mark: { type: 'string' } },
  required: ['n', 'bytes', 'mark'],
  additionalProperties: false,
})

/**
 * A result of so many characters, a different one for each number.
 *
 * @param {unknown} args as the parameters say
 */
export async function lookup(args) {
  const { n, bytes } = /** @type {{ n: number, bytes: number }} */ (args)
  return `result-mark ${n} `.padEnd(bytes, 'The quick brown fox jumps over the lazy dog. ')
}

const PIECE_BYTES = 64 * 1024
const LINES = 'The quick brown fox jumps over the lazy dog.\n'.repeat(PIECE_BYTES / 45)

/**
 * So many bytes in lines, each piece of them new as those of a process or a socket are.
 *
 * @param {unknown} args as the parameters say
 */
export async function* streamLookup(args) {
  const { n, bytes } = /** @type {{ n: number, bytes: number }} */ (args)
  for (let sent = 0; sent < bytes; ) {
    const piece = Buffer.from(`result-mark ${n} ${sent}\n${LINES}`)
    yield piece.subarray(0, bytes - sent)
    sent += piece.length
  }
}
