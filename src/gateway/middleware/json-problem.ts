/** The key as it is, or a character that could be one of its, as an escape. */
const MAY_BE_POISONED = /__proto__|\\u00[5-7]/

/** What a JSON text is refused for; undefined for one that can be used. An empty text is left to the route. */
export function jsonProblem(text: string, maxDepth: number): string | undefined {
  if (text === '') return undefined
  if (depthOf(text, maxDepth) > maxDepth) return `The JSON is nested more than ${maxDepth} levels deep.`
  try {
    // Looking at each key costs several times what reading does.
    if (!MAY_BE_POISONED.test(text)) {
      JSON.parse(text)
      return undefined
    }
    let isPoisoned = false
    JSON.parse(text, (key, value: unknown) => {
      if (key === '__proto__') isPoisoned = true
      return value
    })
    return isPoisoned ? 'The JSON has a key "__proto__".' : undefined
  } catch {
    return 'The body is not JSON.'
  }
}

/** How deep brackets are nested outside strings; stops counting just above `enough`. */
function depthOf(text: string, enough: number): number {
  let depth = 0
  let deepest = 0
  let isInString = false
  for (let at = 0; at < text.length && deepest <= enough; at += 1) {
    const character = text[at]
    if (isInString) {
      if (character === '\\') at += 1
      else if (character === '"') isInString = false
    } else if (character === '"') isInString = true
    else if (character === '{' || character === '[') deepest = Math.max(deepest, ++depth)
    else if (character === '}' || character === ']') depth -= 1
  }
  return deepest
}
