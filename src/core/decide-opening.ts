/**
 * The decision that opens a Turn: what is claimed, and under which id, or that nothing is left to open one.
 *
 * Claims all of `next-step`, then one of `next-turn`. The Turn's id is that of its next-turn input, else
 * of its first steer.
 */
import type { Claimer, ResolvedInput } from './claim-inputs.ts'
import { claim, claimKeys, claimSteers, refusal, refusals } from './claim-inputs.ts'
import type { NewEvent } from './event.ts'
import { continuedKey, inputKey, turnKey } from './ids.ts'
import type { Recorded } from './inbox.ts'
import type { CommitView, Decision } from './ports.ts'
import type { RefusedInput } from './wire.ts'

export interface OpeningOffer {
  readonly steers: readonly ResolvedInput[]
  readonly followups: readonly ResolvedInput[]
  readonly refused: readonly RefusedInput[]
  readonly agent: string
  readonly agentDigest: string
  readonly runId: string
  readonly firstExecutionRunId: string
}

export type OpeningAnswer =
  | { readonly kind: 'opened'; readonly turnId: string; readonly turn: number; readonly recorded: Recorded }
  | { readonly kind: 'nothing-opened'; readonly recorded: Recorded }
  /** A Turn of another workflow execution is open: it was abandoned and has to be closed first. */
  | { readonly kind: 'abandoned' }

/** The log keys that the decision looks at. */
export function openingKeys(offer: Pick<OpeningOffer, 'steers' | 'followups'>): readonly string[] {
  return claimKeys([...offer.steers, ...offer.followups])
}

export function decideOpening(view: CommitView, offer: OpeningOffer): Decision<OpeningAnswer> {
  const { open } = view.head
  if (open === undefined) return openNew(view, offer)
  if (open.firstExecutionRunId !== offer.firstExecutionRunId)
    return { append: [], answer: { kind: 'abandoned' } }
  return { append: adoption(open, offer), answer: adopted(view, offer, open) }
}

/** This execution opened the Turn before: an earlier attempt, or the run that a reset replaced. */
function adopted(view: CommitView, offer: OpeningOffer, open: Claimer): OpeningAnswer {
  const known = [...offer.steers, ...offer.followups].map(({ id }) => ({
    id,
    fate: view.existing(inputKey(id)),
  }))
  const claimed = known.filter(({ fate }) => fate?.turnId === open.turnId && fate.type === 'user/message')
  const settled = known.filter(({ id, fate }) => fate !== undefined && !claimed.some((one) => one.id === id))
  return {
    kind: 'opened',
    turnId: open.turnId,
    turn: open.turn,
    recorded: {
      claimed: claimed.map(({ id }) => id),
      settled: settled.map(({ id }) => id),
      refused: offer.refused.length,
    },
  }
}

function adoption(open: Claimer & { readonly runId: string }, offer: OpeningOffer): readonly NewEvent[] {
  const { turnId, turn } = open
  const { runId, firstExecutionRunId } = offer
  const moved: readonly NewEvent[] =
    open.runId === runId
      ? []
      : [
          {
            type: 'turn/continued',
            turnId,
            turn,
            key: continuedKey(turnId, runId),
            runId,
            firstExecutionRunId,
          },
        ]
  return [...refusals(offer.refused, open), ...moved]
}

function openNew(view: CommitView, offer: OpeningOffer): Decision<OpeningAnswer> {
  const isFresh = ({ id }: ResolvedInput): boolean => view.existing(inputKey(id)) === undefined
  const settled = [...offer.steers, ...offer.followups].filter((input) => !isFresh(input)).map(({ id }) => id)
  const fresh = offer.steers.filter(isFresh)
  const missing = [...fresh, ...offer.followups.filter(isFresh)].filter(
    ({ content }) => content === undefined,
  )
  const steers = fresh.filter(({ content }) => content !== undefined)
  const followup = offer.followups.find((input) => isFresh(input) && input.content !== undefined)
  const opener = followup ?? steers.find(({ expectedTurnId }) => expectedTurnId === undefined)

  if (opener === undefined) return openNothing({ offer, steers, settled, missing })

  const claimer: Claimer = { turnId: opener.id, turn: view.head.turns + 1 }
  const claims = claimSteers(view, claimer, steers)
  const missed = missing.map(({ id }) => refusal({ id, reason: 'content-missing' }, claimer))
  const messages = [
    ...claims.events,
    ...(followup === undefined
      ? []
      : [claim(followup, followup.content ?? '', { claimer, via: 'followup' })]),
  ]
  const start: NewEvent = {
    type: 'turn/start',
    ...claimer,
    key: turnKey(claimer.turnId, 'start'),
    inputs: [...claims.recorded.claimed, ...(followup === undefined ? [] : [followup.id])],
    agent: offer.agent,
    agentDigest: offer.agentDigest,
    runId: offer.runId,
    firstExecutionRunId: offer.firstExecutionRunId,
  }
  return {
    append: [...refusals(offer.refused), start, ...missed, ...messages],
    answer: {
      kind: 'opened',
      turnId: claimer.turnId,
      turn: claimer.turn,
      recorded: {
        claimed: start.inputs,
        settled: [...settled, ...claims.recorded.settled, ...missing.map(({ id }) => id)],
        requeued: claims.recorded.requeued,
        refused: offer.refused.length,
      },
    },
  }
}

/** No input can open a Turn. Steers that asked for another Turn are refused, or wait as followups. */
function openNothing(found: {
  readonly offer: OpeningOffer
  readonly steers: readonly ResolvedInput[]
  readonly settled: readonly string[]
  readonly missing: readonly ResolvedInput[]
}): Decision<OpeningAnswer> {
  const stale = found.steers.filter(({ ifStale }) => ifStale === 'refuse')
  const requeued = found.steers.filter(({ ifStale }) => ifStale !== 'refuse')
  return {
    append: [
      ...refusals(found.offer.refused),
      ...found.missing.map(({ id }) => refusal({ id, reason: 'content-missing' })),
      ...stale.map(({ id }) => refusal({ id, reason: 'stale-turn' })),
    ],
    answer: {
      kind: 'nothing-opened',
      recorded: {
        settled: [...found.settled, ...found.missing.map(({ id }) => id), ...stale.map(({ id }) => id)],
        requeued: requeued.map(({ id }) => id),
        refused: found.offer.refused.length,
      },
    },
  }
}
