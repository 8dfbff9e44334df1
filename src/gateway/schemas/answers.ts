/**
 * What the parts of a route's description have in common: bodies, answers, problems.
 */
import type { z } from '@hono/zod-openapi'
import { type ProblemCode, statusOf } from '../problem.ts'
import { ProblemSchema } from './common.ts'

const PROBLEM = { 'application/problem+json': { schema: ProblemSchema } }

export function json<T extends z.ZodType>(schema: T, description: string) {
  return { description, content: { 'application/json': { schema } } }
}

export function body<T extends z.ZodType>(schema: T) {
  return { required: true, content: { 'application/json': { schema } } }
}

/** What a route may answer that reads a body, beside {@link problems}. */
export const OF_BODY = ['invalid-json', 'payload-too-large', 'unsupported-media-type'] as const

/** What every route may answer, and these codes of its own. */
export function problems(...codes: readonly ProblemCode[]) {
  const all: readonly ProblemCode[] = [
    'invalid-input',
    'unauthenticated',
    'forbidden',
    'too-many-requests',
    ...codes,
  ]
  const statuses = [...new Set(all.map(statusOf))].sort((a, b) => a - b)
  return Object.fromEntries([
    ...statuses.map((status) => [
      status,
      { description: all.filter((code) => statusOf(code) === status).join(', '), content: PROBLEM },
    ]),
    [
      '5XX',
      { description: 'internal, store-unavailable, temporal-unavailable and others', content: PROBLEM },
    ],
  ]) as Record<string, { description: string; content: typeof PROBLEM }>
}
