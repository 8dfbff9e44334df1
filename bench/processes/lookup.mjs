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
