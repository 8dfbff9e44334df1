import { z } from '@hono/zod-openapi'
import { Cost, InputFates, Usage } from './common.ts'

const Span = {
  startedAt: z.string(),
  endedAt: z.string().optional(),
  durationMs: z.number().optional(),
}

const Spent = { usage: Usage, cost: Cost }

const Step = z.object({
  step: z.int(),
  ...Span,
  ...Spent,
  attemptsLost: z.int(),
  coverage: z.number().openapi({ description: 'Share of the tokens that the provider reported' }),
})

export const TurnReportSchema = z
  .object({
    turnId: z.string(),
    turn: z.int(),
    state: z.enum(['open', 'ended']),
    phase: z.string(),
    reason: z.string().optional(),
    code: z.string().optional(),
    scope: z.literal('session').optional(),
    text: z.string().openapi({ description: 'Final text of the model; empty when there is none' }),
    handBack: z.object({ done: z.array(z.string()), blockedBy: z.string(), next: z.string() }).optional(),
    inputs: InputFates.optional(),
    ...Span,
    ...Spent,
    steps: z.array(Step),
  })
  .openapi('Turn')

const Position = z.object({ line: z.int(), column: z.int() })

export const SpillQuerySchema = z.object({
  from: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .openapi({ type: 'integer', description: 'First line, from 1' }),
  column: z.coerce.number().int().min(1).optional().openapi({ type: 'integer' }),
  lines: z.coerce.number().int().min(1).max(10_000).optional().openapi({ type: 'integer' }),
  grep: z.string().min(1).max(1_000).optional().openapi({ description: 'RE2' }),
})

const Match = z.object({
  line: z.int(),
  column: z.int(),
  text: z.string(),
  before: z.array(z.string()).optional(),
  after: z.array(z.string()).optional(),
})

export const SpillAnswer = z
  .union([
    z.object({
      id: z.string(),
      bytes: z.number(),
      lines: z.number(),
      text: z.string(),
      next: Position.optional(),
    }),
    z.object({ matches: z.array(Match), total: z.int(), next: Position.optional() }),
  ])
  .openapi('Spill')
