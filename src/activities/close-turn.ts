/**
 * Closing a Turn: a receipt for every open call, a fate for every input, `turn/end`.
 */
import { closeInLog } from '../core/close-in-log.ts'
import type { SessionKey } from '../core/ids.ts'
import { inputKey } from '../core/ids.ts'
import type { SessionStore } from '../core/ports.ts'
import type { QueuedInput } from '../core/wire.ts'
import { sessionOfActivity } from './attempt.ts'
import type { CloseTurnAnswer, CloseTurnRequest } from './contracts.ts'
import { notifyCount } from './notify.ts'
import type { ActivityPorts } from './ports.ts'
import { resolveInputs } from './resolve-inputs.ts'

export async function closeTurn(ports: ActivityPorts, request: CloseTurnRequest): Promise<CloseTurnAnswer> {
  const { store } = ports
  const {
    turnId,
    reason,
    code,
    scope,
    withdraw = [],
    refused = [],
    offered = [],
    receipts = [],
    seq = 0,
  } = request
  const key = sessionOfActivity()
  const end = await closeInLog(store, key, {
    turnId,
    reason,
    ...(code === undefined ? {} : { code }),
    ...(scope === undefined ? {} : { scope }),
    withdrawn: await contentsOf(store, key, withdraw),
    refused,
    receipts,
    seenSeq: seq,
  })
  const fates = await Promise.all(offered.map((id) => store.find(key, inputKey(id))))
  return {
    reason: end.reason,
    ...(end.code === undefined ? {} : { code: end.code }),
    recorded: {
      settled: [...withdraw.map(({ id }) => id), ...offered.filter((_, index) => fates[index] !== undefined)],
      refused: refused.length,
    },
    ...(await notifyCount(store, key, turnId)),
  }
}

async function contentsOf(store: SessionStore, key: SessionKey, inputs: readonly QueuedInput[]) {
  const resolved = await resolveInputs(store, key.tenant, inputs)
  return resolved.map(({ id, content }) => ({ id, content: content ?? '' }))
}
