import { z } from '@hono/zod-openapi'
import { ContentSchema, Id, JsonObject } from './common.ts'

export const NewSession = z
  .strictObject({ id: Id.optional(), agent: Id.optional(), metadata: JsonObject.optional() })
  .openapi('NewSession')

export const CreatedSession = z.object({ sessionId: Id }).openapi('CreatedSession')

const Phase = z.enum(['idle', 'running', 'waiting_human'])

export const SessionSummarySchema = z
  .object({
    sessionId: z.string(),
    agent: z.string().optional(),
    metadata: JsonObject.optional(),
    phase: Phase,
    turnId: z.string().optional(),
    changedAt: z.string(),
  })
  .openapi('SessionSummary')

export const SessionList = z.object({ sessions: z.array(SessionSummarySchema) }).openapi('SessionList')

export const ListQuery = z.object({
  limit: z.coerce.number().int().min(1).max(500).default(100).openapi({ type: 'integer' }),
})

const PendingInput = z.object({
  id: z.string(),
  lane: z.enum(['next-turn', 'next-step']),
  content: z.union([ContentSchema, z.object({ ref: z.string(), sizeBytes: z.int() })]),
})

const Asked = {
  callId: z.string(),
  argumentsDigest: z.string(),
  expiresAt: z.string(),
  turnId: z.string(),
  step: z.int(),
}

const Approval = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('call'),
      ...Asked,
      tool: z.string(),
      arguments: z.string().openapi({ description: 'JSON text' }),
      risk: z.enum(['low', 'medium', 'high']),
      preview: z
        .object({ kind: z.literal('diff'), path: z.string(), diff: z.string() })
        .optional()
        .openapi({ description: 'What the call would change, as a unified diff' }),
    }),
    z.object({
      kind: z.literal('text'),
      ...Asked,
      text: z.string().optional().openapi({ description: 'Only for who may decide' }),
      guardrail: z.string(),
      reason: z.string(),
    }),
  ])
  .openapi('Approval', { description: 'A call, or a text that a guardrail holds' })

const ClientCall = z.object({
  callId: z.string(),
  tool: z.string(),
  arguments: z.string(),
  requestId: z.string(),
  expiresAt: z.string(),
})

export const SessionState = z
  .object({
    sessionId: z.string(),
    phase: Phase,
    turnId: z.string().optional(),
    step: z.int().optional(),
    turnPhase: z.string().optional(),
    pending: z.array(PendingInput).optional().openapi({ description: 'Absent when no worker answers' }),
    approvals: z.array(Approval),
    clientCalls: z.array(ClientCall),
    usage: z.object({ tokens: z.number() }).openapi({ description: 'Of the Turns that have ended' }),
    cost: z.number().nullable().openapi({ description: 'Micro-USD of what had a price; null for nothing' }),
  })
  .openapi('SessionState')
