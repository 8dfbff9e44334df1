/**
 * Schemas that many routes share.
 */
import { z } from '@hono/zod-openapi'

export const Id = z
  .string()
  .regex(/^[A-Za-z0-9_.-]{1,128}$/, 'An id is 1 to 128 characters out of A-Z a-z 0-9 _ . -')
  .openapi({ example: 'main' })

export const SessionParams = z.object({ session: Id.openapi({ param: { name: 'session', in: 'path' } }) })

export const ProblemSchema = z
  .object({
    type: z.string().openapi({ example: 'urn:turnstep:error:session-busy' }),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string().openapi({ description: 'Stable; docs/errors.md has all.' }),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .openapi('Problem', { description: 'RFC 9457' })

export const Usage = z
  .object({
    inputTokens: z.number(),
    outputTokens: z.number(),
    cachedInputTokens: z.number().optional(),
    reasoningTokens: z.number().optional(),
    estimated: z.literal(true).optional(),
  })
  .openapi('Usage')

/** Micro-USD; null without a price. */
export const Cost = z.number().nullable().openapi({ description: 'Micro-USD; null without a price' })

export const JsonObject = z.record(z.string(), z.unknown())

const TextPart = z.object({ type: z.literal('text'), text: z.string() })
const ImagePart = z.object({ type: z.literal('image'), ref: z.string(), mediaType: z.string().optional() })
const FilePart = z.object({
  type: z.literal('file'),
  ref: z.string(),
  mediaType: z.string().optional(),
  name: z.string().optional(),
})

export const ContentSchema = z
  .union([z.string(), z.array(z.discriminatedUnion('type', [TextPart, ImagePart, FilePart]))])
  .openapi('Content', { description: 'Text, or parts' })

export const EventSchema = z
  .looseObject({
    seq: z.int(),
    at: z.string(),
    v: z.literal(1),
    key: z.string(),
    type: z.string(),
    turnId: z.string().nullable(),
    turn: z.number().nullable(),
    step: z.number().optional(),
  })
  .openapi('Event', { description: 'An event of the log; further fields by its type' })

export const InputFates = z.array(
  z.object({ id: z.string(), fate: z.enum(['claimed', 'withdrawn', 'refused']) }),
)
