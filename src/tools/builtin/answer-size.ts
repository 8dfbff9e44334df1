/** For tools whose answers go on where they end: cutting one would lose what cannot be asked for again. */
export const PAGED_RESULT = { maxCharacters: 16_000, spill: 'never' } as const

/** Characters of one answer as JSON: one that is cut is no JSON any more. */
export const ANSWER_CHARACTERS = 14_000

/** The items from the beginning that fit into one answer. */
export function fitting<T>(items: readonly T[]): readonly T[] {
  let room = ANSWER_CHARACTERS
  const end = items.findIndex((item) => {
    room -= JSON.stringify(item).length + 1
    return room < 0
  })
  return end === -1 ? items : items.slice(0, end)
}
