import type { Context } from 'hono'
import type { z } from 'zod'
import { TurnstepError } from '../../core/errors.ts'
import type { GatewayEnv } from '../gateway-deps.ts'

/** The body of a request, by its schema. Fails with `invalid-input`. */
export async function parseBody<S extends z.ZodType>(c: Context<GatewayEnv>, schema: S): Promise<z.infer<S>> {
  const text = await c.req.text()
  const { data, error } = schema.safeParse(text === '' ? undefined : (JSON.parse(text) as unknown))
  if (error === undefined) return data
  const [issue] = error.issues
  const where = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `
  throw new TurnstepError('invalid-input', `The body cannot be used. ${where}${issue?.message ?? ''}`)
}
