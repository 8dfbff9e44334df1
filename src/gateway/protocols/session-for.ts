import type { Context } from 'hono'
import type { Session } from '../../client/index.ts'
import { TurnstepError } from '../../core/errors.ts'
import type { Content } from '../../core/message.ts'
import { readContent } from '../../core/read-signal.ts'
import type { GatewayDeps, GatewayEnv } from '../gateway-deps.ts'
import { clientOf } from '../routes/target.ts'

/**
 * The Session that a front end names, created when there is none. One that exists keeps the agent it has. Fails with
 * `unknown-agent` for one that is not among those that are known here, if any are; and with `invalid-input`, before
 * anything is created, for a message that says nothing.
 */
export async function sessionFor(
  c: Context<GatewayEnv>,
  deps: GatewayDeps,
  {
    id,
    agent,
    content,
  }: { readonly id: string; readonly agent?: string | undefined; readonly content: Content },
): Promise<Session> {
  if (readContent(content) === undefined)
    throw new TurnstepError('invalid-input', 'The message says nothing: it needs text, images or files.')
  const client = clientOf(c, deps)
  if (await client.has(id)) return client.session(id)
  const known = deps.agents()
  if (agent !== undefined && known.length > 0 && !known.some(({ name }) => name === agent)) {
    const names = known.map(({ name }) => name).join(', ')
    throw new TurnstepError('unknown-agent', `There is no agent ${agent}. There is: ${names}.`)
  }
  return client.createSession(id, agent === undefined ? {} : { agent })
}
