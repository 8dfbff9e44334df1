/**
 * The Session that a request is about, as its principal's tenant has it.
 */
import type { Context } from 'hono'
import type { Session, Turnstep } from '../../client/index.ts'
import { TurnstepError } from '../../core/errors.ts'
import type { GatewayDeps, GatewayEnv } from '../gateway-deps.ts'

export function clientOf(c: Context<GatewayEnv>, deps: GatewayDeps): Turnstep {
  return deps.turnstep(c.get('principal').tenant)
}

/** Fails with `session-not-found` for one that the tenant does not have. */
export async function existingSession(
  c: Context<GatewayEnv>,
  deps: GatewayDeps,
  id: string,
): Promise<Session> {
  const client = clientOf(c, deps)
  if (await client.has(id)) return client.session(id)
  throw new TurnstepError('session-not-found', `There is no session ${id}.`)
}
