import { TurnstepError } from '../core/errors.ts'
import { loadSnapshot } from '../core/load-snapshot.ts'
import { costOfTurn, type TurnCost } from '../core/turn-cost.ts'
import type { SessionLink } from './session-link.ts'
import { fateOf } from './session-link.ts'

/**
 * What the Turn of an input has spent so far, at the price that its agent had when it opened. Fails with
 * `input-not-found` while no Turn has claimed the input.
 */
export async function readTurnCost(link: SessionLink, inputId: string): Promise<TurnCost> {
  const { store, key } = link
  const fate = await fateOf(link, inputId)
  if (fate?.type !== 'user/message')
    throw new TurnstepError(
      'input-not-found',
      `No turn of session ${key.session} has claimed input ${inputId}.`,
    )
  const events = await store.read(key, {
    turnId: fate.turnId,
    types: ['turn/start', 'assistant/message', 'attempt/lost'],
  })
  const start = events.find((event) => event.type === 'turn/start')
  const digest = start?.type === 'turn/start' ? start.agentDigest : ''
  const snapshot = await loadSnapshot(store, key.tenant, digest)
  return costOfTurn(events, fate.turnId, snapshot?.price)
}
