import { z } from '@hono/zod-openapi'
import { ContentSchema, Id, InputFates } from './common.ts'

const Notify = z.union([
  z.strictObject({ webhook: z.string() }),
  z.strictObject({ workflowId: z.string().min(1), signal: z.string().min(1) }),
])

export const NewInput = z
  .strictObject({
    id: Id.optional().openapi({ description: 'Sending the same id again changes nothing' }),
    content: ContentSchema,
    lane: z.enum(['next-turn', 'next-step']).default('next-turn'),
    expectedTurnId: Id.optional().openapi({ description: 'Of a steer: for this Turn alone' }),
    ifStale: z.enum(['refuse', 'followup']).optional(),
    whenBusy: z.enum(['accept', 'reject', 'interrupt']).optional().openapi({ description: 'Of a followup' }),
    origin: z.enum(['user', 'system', 'tool']).optional(),
    author: z.string().min(1).max(200).optional(),
    notify: Notify.optional().openapi({ description: 'Who is told once its Turn has ended' }),
  })
  .openapi('NewInput')

export const AcceptedInput = z.object({ inputId: z.string() }).openapi('AcceptedInput')

export const InputFateSchema = z
  .object({
    inputId: z.string(),
    fate: z.enum(['queued', 'claimed', 'withdrawn', 'refused']),
    lane: z.enum(['next-turn', 'next-step']).optional(),
    turnId: z.string().optional(),
    turn: z.int().optional(),
    step: z.int().optional(),
    reason: z.string().optional(),
  })
  .openapi('InputFate')

export const AbortBody = z
  .strictObject({
    turnId: Id.optional(),
    queue: z.enum(['withdraw', 'run']).optional(),
    mode: z.enum(['now', 'after-step']).optional(),
  })
  .openapi('Abort')

export const Aborted = z
  .object({ turnId: z.string(), reason: z.string(), inputs: InputFates })
  .openapi('Aborted', { description: 'How the Turn ended' })

export const AbortPending = z.object({ status: z.literal('abort-pending') }).openapi('AbortPending')
