import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { EXPRESSION_NAMES, evaluateExpression } from './evaluate-expression.ts'

/** `{ expression } → { value }`. */
export const calculator = defineTool({
  name: 'calculator',
  description: `Evaluates one arithmetic expression in double precision. Operators + - * / % ^ (or **) and parentheses; functions and constants: ${EXPRESSION_NAMES.join(', ')}. Angles are in radians, log is natural.`,
  whenNotToUse: 'For text, dates or equations with unknowns.',
  input: z.strictObject({
    expression: z
      .string()
      .describe('For example (3 + 4) * sqrt(2). A point separates decimals; no thousands separators.'),
  }),
  effect: 'read',
  // What it says is in its arguments.
  result: { outside: false },
  run: ({ expression }) => ({ value: evaluateExpression(expression) }),
})
