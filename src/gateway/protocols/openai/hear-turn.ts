import type { Context } from 'hono'
import type { GatewayDeps, GatewayEnv } from '../../gateway-deps.ts'
import { type FollowedTurn, readTurn } from '../follow-turn.ts'
import type { SpokenTurn } from './spoken-turn.ts'

/** Listens until the Turn has ended, the caller has gone, or the gateway goes. */
export async function hearTurn(
  c: Context<GatewayEnv>,
  deps: GatewayDeps,
  turn: FollowedTurn,
  reader: SpokenTurn,
): Promise<void> {
  const gone = new AbortController()
  const signal = AbortSignal.any([gone.signal, c.req.raw.signal, deps.closing])
  for await (const _ of readTurn(c, deps, { turn, reader, signal, cut: () => gone.abort() }));
}
