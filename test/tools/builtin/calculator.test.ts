import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evaluateExpression } from '../../../src/tools/builtin/evaluate-expression.ts'
import { calculator } from '../../../src/tools/index.ts'
import { call } from './temp-folder.ts'

/** Random expressions with the value that they have, built up beside each other. */
const EXPRESSION = fc.letrec<{ sum: Known; product: Known; unary: Known; power: Known; primary: Known }>(
  (tie) => ({
    sum: fc.oneof(
      { maxDepth: 5 },
      tie('product'),
      binary(tie('sum'), tie('product'), { '+': (a, b) => a + b, '-': (a, b) => a - b }),
    ),
    product: fc.oneof(
      { maxDepth: 5 },
      tie('unary'),
      binary(tie('product'), tie('unary'), { '*': (a, b) => a * b }),
    ),
    unary: fc.oneof(
      { maxDepth: 5 },
      tie('power'),
      tie('unary').map(({ text, value }) => ({ text: `- ${text}`, value: -value })),
    ),
    power: fc.oneof(
      { maxDepth: 5 },
      tie('primary'),
      binary(tie('primary'), tie('unary'), { '^': (a, b) => a ** b, '**': (a, b) => a ** b }),
    ),
    primary: fc.oneof(
      { maxDepth: 5 },
      fc.integer({ min: 0, max: 999 }).map((value) => ({ text: String(value), value })),
      fc.integer({ min: 0, max: 999 }).map((value) => ({ text: `${value}.5`, value: value + 0.5 })),
      tie('sum').map(({ text, value }) => ({ text: `(${text})`, value })),
      tie('sum').map(({ text, value }) => ({ text: `abs(${text})`, value: Math.abs(value) })),
      fc
        .tuple(tie('sum'), tie('sum'))
        .map(([a, b]) => ({ text: `max(${a.text}, ${b.text})`, value: Math.max(a.value, b.value) })),
    ),
  }),
).sum

interface Known {
  readonly text: string
  readonly value: number
}

function binary(
  left: fc.Arbitrary<Known>,
  right: fc.Arbitrary<Known>,
  operators: Readonly<Record<string, (a: number, b: number) => number>>,
) {
  return fc
    .tuple(left, fc.constantFrom(...Object.entries(operators)), right)
    .map(([a, [operator, apply], b]) => ({
      text: `${a.text} ${operator} ${b.text}`,
      value: apply(a.value, b.value),
    }))
}

describe('calculator', () => {
  it('answers with the value', async () => {
    expect(await call(calculator, { expression: '(3 + 4) * 2' })).toEqual({ value: 14 })
  })

  it.each([
    ['1+2*3', 7],
    ['10 - 4 - 3', 3],
    ['2 * (3 + 4)', 14],
    ['10 / 4 / 5', 0.5],
    ['17 % 5', 2],
    ['-7 % 3', -1],
    ['2^10', 1024],
    ['2**3**2', 512],
    ['-2^2', -4],
    ['(-2)^2', 4],
    ['2^-1', 0.5],
    ['2 - -3', 5],
    ['+4', 4],
    ['.5 + 1.', 1.5],
    ['1e3 + 1E-3', 1000.001],
    ['0 * -1', 0],
    ['sqrt(16) + cbrt(27)', 7],
    ['abs(-3) + sign(-9)', 2],
    ['min(3, 1, 2) + max(3, 1, 2)', 4],
    ['round(2.5) + round(-2.5)', 0],
    ['round(2.4) + floor(-1.5) + ceil(1.2) + trunc(-1.9)', 1],
    ['pow(2, 5) + mod(9, 4)', 33],
    ['ln(e) + log(1) + log2(8) + log10(1000)', 7],
    ['exp(0) + sin(0) + cos(0) + tan(0)', 2],
    ['asin(0) + acos(1) + atan(0)', 0],
    ['2 * PI', 2 * Math.PI],
    ['3 × 4 ÷ 2 − 1', 5],
    ['12 · 3', 36],
  ])('knows that %s is %d', (expression, value) => {
    expect(evaluateExpression(expression)).toBe(value)
  })

  it.each([
    ['', 'The expression is empty.'],
    ['  ', 'The expression is empty.'],
    ['1 +', 'The expression ends too early.'],
    ['(1 + 2', 'The expression ends too early, where ) should be.'],
    ['1 2', 'Unexpected "2" at position 3.'],
    ['1 + * 2', 'Unexpected "*" at position 5.'],
    ['()', 'Unexpected ")" at position 2.'],
    ['1,000', 'Unexpected "," at position 2.'],
    ['$5', 'Unexpected "$" at position 1.'],
    ['2 pi', 'Unexpected "pi" at position 3.'],
    ['sqrt 4', 'Unexpected "4" at position 6 where ( should be.'],
    ['sqrt()', 'Unexpected ")" at position 6.'],
    ['pow(2)', 'pow takes 2 argument(s), not 1.'],
    ['sqrt(1, 2)', 'sqrt takes 1 argument(s), not 2.'],
    ['process.exit(1)', 'Unexpected "." at position 8.'],
    ['constructor', 'Unknown name constructor.'],
    ['toString()', 'Unknown name tostring.'],
    ['1 / 0', 'Something is divided by zero.'],
    ['1 % (2 - 2)', 'Something is divided by zero.'],
    ['sqrt(-1)', 'The result is not a real number.'],
    ['10 ^ 400', 'The result is too large'],
    ['log(0)', 'The result is too large'],
    [`${'('.repeat(5000)}1`, 'The expression is longer than 2000 characters.'],
    [`${'('.repeat(500)}1${')'.repeat(500)}`, 'The expression is nested deeper than 100 levels.'],
    [`${'-'.repeat(500)}1`, 'The expression is nested deeper than 100 levels.'],
    [`${'2^'.repeat(500)}1`, 'The expression is nested deeper than 100 levels.'],
    ['\ud800', 'Unexpected "\uFFFD" at position 1.'],
  ])('refuses %j', async (expression, message) => {
    expect(() => evaluateExpression(expression)).toThrow(message)
    await expect(call(calculator, { expression })).rejects.toThrow(message)
  })

  it('agrees with the arithmetic of JavaScript on random expressions', () => {
    fc.assert(
      fc.property(EXPRESSION, ({ text, value }) => {
        fc.pre(Number.isFinite(value) && text.length <= 2000)
        expect(evaluateExpression(text)).toBe(value === 0 ? 0 : value)
      }),
      { numRuns: 500 },
    )
  })

  it('answers or refuses any text', () => {
    const text = fc
      .array(fc.constantFrom('1', '2.5', '+', '-', '*', '/', '^', '(', ')', ',', 'max', 'pi', 'x', ' ', '%'))
      .map((all) => all.join(''))
    fc.assert(
      fc.property(fc.oneof(text, fc.string({ unit: 'binary' })), (expression) => {
        try {
          expect(Number.isFinite(evaluateExpression(expression))).toBe(true)
        } catch (error) {
          expect(error).toMatchObject({ name: 'ExpressionError' })
        }
      }),
      { numRuns: 500 },
    )
  })
})
