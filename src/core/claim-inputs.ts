/**
 * Claiming: which of the offered inputs join a Turn, judged against the log in the transaction that appends.
 *
 * Deduplication is here: an input whose key is in the log has its fate already. A claim that an earlier
 * attempt of the same activity made is its own.
 */
import { defined } from './defined.ts'
import type { Event, NewEvent, RefusalReason, UserMessageEvent } from './event.ts'
import { inputKey } from './ids.ts'
import type { Recorded } from './inbox.ts'
import type { Content } from './message.ts'
import type { CommitView } from './ports.ts'
import type { QueuedInput, RefusedInput } from './wire.ts'

/** An input whose content has been fetched, if it was a reference. `undefined`: the store does not have it. */
export type ResolvedInput = Omit<QueuedInput, 'content'> & {
  readonly content: Content | undefined
  /** Set when guardrails are to judge it once it is claimed. */
  readonly judged?: 'pending'
}

/** The Turn, and the Step in it, that claims. `step` is absent at the opening. */
export interface Claimer {
  readonly turnId: string
  readonly turn: number
  readonly step?: number
}

export interface Claims {
  readonly events: readonly NewEvent[]
  readonly recorded: Required<Omit<Recorded, 'refused'>>
}

/** The log keys that judging these inputs looks at. */
export function claimKeys(inputs: readonly Pick<QueuedInput, 'id' | 'expectedTurnId'>[]): readonly string[] {
  return inputs.flatMap((input) => [
    inputKey(input.id),
    ...(input.expectedTurnId === undefined ? [] : [inputKey(input.expectedTurnId)]),
  ])
}

/** Judges steers for a running Turn at a Step boundary. */
export function claimSteers(view: CommitView, claimer: Claimer, steers: readonly ResolvedInput[]): Claims {
  const events: NewEvent[] = []
  const claimed: string[] = []
  const settled: string[] = []
  const requeued: string[] = []
  const own = new Set<string>([claimer.turnId])
  for (const steer of steers) {
    const fate = view.existing(inputKey(steer.id))
    if (fate !== undefined) {
      if (isClaimOf(fate, claimer)) claimed.push(steer.id)
      else settled.push(steer.id)
      if (fate.turnId === claimer.turnId) own.add(steer.id)
      continue
    }
    const stale = isStale(view, claimer, steer, own)
    if (stale && steer.ifStale !== 'refuse') {
      requeued.push(steer.id)
    } else if (stale || steer.content === undefined) {
      settled.push(steer.id)
      events.push(refusal({ id: steer.id, reason: stale ? 'stale-turn' : 'content-missing' }, claimer))
    } else {
      claimed.push(steer.id)
      own.add(steer.id)
      events.push(claim(steer, steer.content, { claimer, via: 'steer' }))
    }
  }
  return { events, recorded: { claimed, settled, requeued } }
}

/** The event that claims one input. */
export function claim(
  input: ResolvedInput,
  content: Content,
  by: { readonly claimer: Claimer; readonly via: UserMessageEvent['via'] },
): NewEvent {
  const { turnId, turn, step } = by.claimer
  return {
    type: 'user/message',
    turnId,
    turn,
    key: inputKey(input.id),
    inputId: input.id,
    content,
    via: by.via,
    origin: input.origin ?? 'user',
    ...defined({ step, author: input.author, notify: input.notify, judged: input.judged }),
  }
}

/** The event that refuses one input, inside a Turn or outside. */
export function refusal(
  refused: { readonly id: string; readonly reason: RefusalReason },
  turn?: { readonly turnId: string; readonly turn: number },
): NewEvent {
  return {
    type: 'input/refused',
    turnId: turn?.turnId ?? null,
    turn: turn?.turn ?? null,
    key: inputKey(refused.id),
    inputId: refused.id,
    reason: refused.reason,
  }
}

/** Refusals that the workflow decided, as events. */
export function refusals(
  refused: readonly RefusedInput[],
  turn?: { readonly turnId: string; readonly turn: number },
): readonly NewEvent[] {
  return refused.map((one) => refusal(one, turn))
}

function isClaimOf(event: Event, claimer: Claimer): boolean {
  return event.type === 'user/message' && event.turnId === claimer.turnId && event.step === claimer.step
}

/** Whether a steer asks for another Turn than this: not its id, nor that of any input claimed in it. */
function isStale(
  view: CommitView,
  claimer: Claimer,
  steer: ResolvedInput,
  own: ReadonlySet<string>,
): boolean {
  const { expectedTurnId } = steer
  if (expectedTurnId === undefined || own.has(expectedTurnId)) return false
  const named = view.existing(inputKey(expectedTurnId))
  return !(named?.type === 'user/message' && named.turnId === claimer.turnId)
}
