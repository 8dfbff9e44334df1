/**
 * Finds the arithmetic in a sentence.
 */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bsquare root of\s+(\d+(?:\.\d+)?)/gi, 'sqrt($1)'],
  [/(\d)\s*(?:%|percent)\s+of\s+(\d)/gi, '$1 / 100 * $2'],
  [/\bto the power of\b/gi, '^'],
  [/\bsquared\b/gi, '^2'],
  [/\b(?:multiplied by|times)\b|×/gi, '*'],
  [/\bdivided by\b|÷/gi, '/'],
  [/\bplus\b/gi, '+'],
  [/\bminus\b|−/gi, '-'],
  [/(\d)\s*x\s*(?=\d)/gi, '$1 * '],
  [/(\d),(?=\d{3}\b)/g, '$1'],
]

/** Numbers, operators, parentheses and functions, side by side. */
const EXPRESSION =
  /(?:\b(?:sqrt|abs|sin|cos|tan|log|exp|round|floor|ceil|min|max)\b(?=\s*\()|\b(?:pi)\b|[\d.()+\-*/%^,\s])+/g
const HAS_OPERATION = /\d\s*\)*\s*(?:[+*/%^]|\*\*|-)\s*\(*\s*(?:-?\d|[a-z])|[a-z]\s*\(\s*-?\d/

/** The longest expression that has something to calculate, or undefined. */
export function readExpression(text: string): string | undefined {
  const symbols = WORDS.reduce((sentence, [word, symbol]) => sentence.replaceAll(word, symbol), text)
  const candidates = [...symbols.matchAll(EXPRESSION)].map(([match]) => match.replace(/[.,\s]+$/, '').trim())
  const sums = candidates.filter((candidate) => HAS_OPERATION.test(candidate))
  return sums.sort((a, b) => b.length - a.length)[0]
}
