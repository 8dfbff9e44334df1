import type { Context } from 'hono'
import type { GatewayDeps, GatewayEnv } from '../../gateway-deps.ts'
import { clientOf } from '../../routes/target.ts'
import { type FollowedTurn, sendAndFollow } from '../follow-turn.ts'
import { sessionFor } from '../session-for.ts'
import type { AnswerPlace } from './answer-id.ts'
import { type CallerMessage, newContent } from './new-messages.ts'

/** The Turn that answers a request: the one that a request before it opened at this place, or a new one. */
export async function openAnswer(
  c: Context<GatewayEnv>,
  deps: GatewayDeps,
  asked: { readonly place: AnswerPlace; readonly agent: string; readonly messages: readonly CallerMessage[] },
): Promise<FollowedTurn> {
  const { place, agent, messages } = asked
  const isNew = !(await clientOf(c, deps).has(place.session))
  const content = newContent(messages, isNew)
  const session = await sessionFor(c, deps, { id: place.session, agent, content })
  // The ids of these inputs are secret or made of the caller's own name: whoever repeats one is its sender.
  return (await sendAndFollow(session, place.inputId, content)).turn
}
