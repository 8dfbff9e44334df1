/**
 * Arithmetic by recursive descent: no eval, bounded length and depth.
 *
 *   sum     = product (('+' | '-') product)*
 *   product = unary (('*' | '/' | '%') unary)*
 *   unary   = ('-' | '+') unary | power
 *   power   = primary (('^' | '**') unary)?          so -2^2 is -4, and 2^3^2 is 2^9
 *   primary = number | name | name '(' sum (',' sum)* ')' | '(' sum ')'
 */

/** What is wrong with an expression, written for the model. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError'
}

const MAX_LENGTH = 2_000
const MAX_DEPTH = 100

const CONSTANTS: ReadonlyMap<string, number> = new Map([
  ['pi', Math.PI],
  ['e', Math.E],
])

interface MathFunction {
  readonly apply: (...values: readonly number[]) => number
  readonly min: number
  readonly max: number
}

const FUNCTIONS: ReadonlyMap<string, MathFunction> = new Map([
  ...(
    [
      ['sqrt', Math.sqrt],
      ['cbrt', Math.cbrt],
      ['abs', Math.abs],
      ['sign', Math.sign],
      ['exp', Math.exp],
      ['log', Math.log],
      ['ln', Math.log],
      ['log2', Math.log2],
      ['log10', Math.log10],
      ['floor', Math.floor],
      ['ceil', Math.ceil],
      ['trunc', Math.trunc],
      ['round', roundHalfAway],
      ['sin', Math.sin],
      ['cos', Math.cos],
      ['tan', Math.tan],
      ['asin', Math.asin],
      ['acos', Math.acos],
      ['atan', Math.atan],
    ] as const
  ).map(([name, apply]): [string, MathFunction] => [
    name,
    { apply: (value = Number.NaN) => apply(value), min: 1, max: 1 },
  ]),
  ['pow', { apply: (base = Number.NaN, exponent = Number.NaN) => base ** exponent, min: 2, max: 2 }],
  ['mod', { apply: (a = Number.NaN, b = Number.NaN) => a % b, min: 2, max: 2 }],
  ['min', { apply: (...values) => Math.min(...values), min: 1, max: Number.POSITIVE_INFINITY }],
  ['max', { apply: (...values) => Math.max(...values), min: 1, max: Number.POSITIVE_INFINITY }],
])

/** Names that an expression may use, for the tool's description. */
export const EXPRESSION_NAMES: readonly string[] = [...FUNCTIONS.keys(), ...CONSTANTS.keys()]

/** The value as an IEEE double, always finite. Fails with {@link ExpressionError} on anything else. */
export function evaluateExpression(expression: string): number {
  if (expression.length > MAX_LENGTH)
    throw new ExpressionError(`The expression is longer than ${MAX_LENGTH} characters.`)
  const tokens = tokenize(expression)
  const parser = new Parser(tokens)
  const value = parser.parse()
  if (Number.isNaN(value)) throw new ExpressionError('The result is not a real number.')
  if (!Number.isFinite(value))
    throw new ExpressionError('The result is too large, or something was divided by zero.')
  // Nobody who asks for 0 * -1 expects -0, which JSON would lose anyway.
  return value === 0 ? 0 : value
}

function roundHalfAway(value: number): number {
  return Math.sign(value) * Math.round(Math.abs(value))
}

// -------------------------------------------------------------------------------------------- tokens

type Token =
  | { readonly kind: 'number'; readonly value: number; readonly at: number }
  | { readonly kind: 'name' | 'symbol'; readonly text: string; readonly at: number }
  | { readonly kind: 'end'; readonly at: number }

/** One token with the white space before it. Signs that a typographer would use are accepted too. */
const TOKEN =
  /\s*(?:((?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)|([A-Za-z_][A-Za-z_0-9]*)|(\*\*|[-+*/%^(),×÷−·])|(\S))/y

const SYMBOLS: ReadonlyMap<string, string> = new Map([
  ['**', '^'],
  ['×', '*'],
  ['·', '*'],
  ['÷', '/'],
  ['−', '-'],
])

function tokenize(expression: string): readonly Token[] {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  for (let match = TOKEN.exec(expression); match !== null; match = TOKEN.exec(expression)) {
    const [whole, number, name, symbol, other] = match
    // From 1, white space aside.
    const at = match.index + whole.length - whole.trimStart().length + 1
    if (other !== undefined)
      throw new ExpressionError(`Unexpected ${JSON.stringify(other.toWellFormed())} at position ${at}.`)
    if (number !== undefined) tokens.push({ kind: 'number', value: Number(number), at })
    else if (name !== undefined) tokens.push({ kind: 'name', text: name.toLowerCase(), at })
    else if (symbol !== undefined) tokens.push({ kind: 'symbol', text: SYMBOLS.get(symbol) ?? symbol, at })
  }
  return tokens
}

// -------------------------------------------------------------------------------------------- parser

class Parser {
  readonly #tokens: readonly Token[]
  #next = 0
  #depth = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  parse(): number {
    if (this.#tokens.length === 0) throw new ExpressionError('The expression is empty.')
    const value = this.#sum()
    const rest = this.#peek()
    if (rest.kind !== 'end') throw unexpected(rest)
    return value
  }

  #sum(): number {
    let value = this.#product()
    for (;;) {
      if (this.#take('+')) value += this.#product()
      else if (this.#take('-')) value -= this.#product()
      else return value
    }
  }

  #product(): number {
    let value = this.#unary()
    for (;;) {
      if (this.#take('*')) value *= this.#unary()
      else if (this.#take('/')) value /= nonZero(this.#unary())
      else if (this.#take('%')) value %= nonZero(this.#unary())
      else return value
    }
  }

  #unary(): number {
    return this.#nested(() => {
      if (this.#take('-')) return -this.#unary()
      if (this.#take('+')) return this.#unary()
      return this.#power()
    })
  }

  #power(): number {
    const base = this.#primary()
    return this.#take('^') ? base ** this.#unary() : base
  }

  #primary(): number {
    const token = this.#peek()
    if (token.kind === 'number') {
      this.#next += 1
      return token.value
    }
    if (token.kind === 'name') {
      this.#next += 1
      return this.#named(token.text)
    }
    if (!this.#take('(')) throw unexpected(token)
    const value = this.#sum()
    this.#expect(')')
    return value
  }

  #named(name: string): number {
    const constant = CONSTANTS.get(name)
    if (constant !== undefined) return constant
    const named = FUNCTIONS.get(name)
    if (named === undefined)
      throw new ExpressionError(`Unknown name ${name.slice(0, 40)}. Known: ${EXPRESSION_NAMES.join(', ')}.`)
    this.#expect('(')
    const values = [this.#sum()]
    while (this.#take(',')) values.push(this.#sum())
    this.#expect(')')
    if (values.length < named.min || values.length > named.max) {
      throw new ExpressionError(
        `${name} takes ${named.min === named.max ? named.min : `at least ${named.min}`} argument(s), not ${values.length}.`,
      )
    }
    return named.apply(...values)
  }

  #nested(parse: () => number): number {
    this.#depth += 1
    if (this.#depth > MAX_DEPTH)
      throw new ExpressionError(`The expression is nested deeper than ${MAX_DEPTH} levels.`)
    const value = parse()
    this.#depth -= 1
    return value
  }

  #peek(): Token {
    return this.#tokens[this.#next] ?? { kind: 'end', at: 0 }
  }

  #take(symbol: string): boolean {
    const token = this.#peek()
    if (token.kind !== 'symbol' || token.text !== symbol) return false
    this.#next += 1
    return true
  }

  #expect(symbol: string): void {
    if (!this.#take(symbol)) throw unexpected(this.#peek(), ` where ${symbol} should be`)
  }
}

function nonZero(divisor: number): number {
  if (divisor === 0) throw new ExpressionError('Something is divided by zero.')
  return divisor
}

function unexpected(token: Token, where = ''): ExpressionError {
  if (token.kind === 'end')
    return new ExpressionError(`The expression ends too early${where === '' ? '' : `,${where}`}.`)
  const text = token.kind === 'number' ? String(token.value) : token.text.slice(0, 40)
  return new ExpressionError(`Unexpected ${JSON.stringify(text)} at position ${token.at}${where}.`)
}
