import { TurnstepError } from '../core/errors.ts'
import { loadSnapshot } from '../core/load-snapshot.ts'
import { reportTurn, type TurnReport } from '../core/turn-report.ts'
import type { SessionLink } from './session-link.ts'
import { fateOf } from './session-link.ts'

/**
 * How the Turn stands that an input opened or joined. Fails with `turn-not-found` while no Turn has claimed it, and
 * for one that no Turn ever will.
 */
export async function readTurnReport(link: SessionLink, inputId: string): Promise<TurnReport> {
  const { store, key } = link
  const fate = await fateOf(link, inputId)
  const events = fate?.type === 'user/message' ? await store.read(key, { turnId: fate.turnId }) : []
  const start = events.find((event) => event.type === 'turn/start')
  if (start?.type === 'turn/start') {
    const snapshot = await loadSnapshot(store, key.tenant, start.agentDigest)
    const report = reportTurn(events, start.turnId, snapshot?.price)
    if (report !== undefined) return report
  }
  throw new TurnstepError('turn-not-found', `No turn of session ${key.session} has claimed input ${inputId}.`)
}
