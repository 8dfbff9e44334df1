/**
 * What a human decides on a text that a guardrail holds: first in the log, with what becomes of the text, then the
 * workflow is woken.
 */
import type { TextDecision } from '../core/decide-held.ts'
import { decideText, heldKeys } from '../core/decide-held.ts'
import type { MessageOffer } from '../core/decide-step.ts'
import { TurnstepError } from '../core/errors.ts'
import type { Event, EventOf } from '../core/event.ts'
import { draftKey, heldKey, parseHeldId } from '../core/ids.ts'
import type { DecisionOptions } from './decision-options.ts'
import { readDecider } from './decision-options.ts'
import type { SessionLink } from './session-link.ts'
import { notWaiting, turnIdOf, wake } from './waiting-call.ts'

/** A text of the model that a guardrail holds for a human. Nobody else sees it. */
export interface HeldText {
  readonly kind: 'text'
  /** Under which it is decided. */
  readonly callId: string
  readonly text: string
  /** SHA-256 of the text, lower-case hex. */
  readonly argumentsDigest: string
  readonly guardrail: string
  /** Why it is held. */
  readonly reason: string
  /** ISO 8601; undecided then, it is blocked. */
  readonly expiresAt: string
  readonly turnId: string
  readonly step: number
}

/** The text of the open Step that waits for a decision, if one does. */
export async function heldTexts(link: SessionLink, ofStep: readonly Event[]): Promise<readonly HeldText[]> {
  const held = ofStep.find((event): event is EventOf<'guardrail/held'> => event.type === 'guardrail/held')
  if (held === undefined || ofStep.some((event) => event.type === 'guardrail/judged' && event.seq > held.seq))
    return []
  const { callId, digest, guardrail, reason, expiresAt, turnId, step } = held
  const text = (await link.store.getContent(link.key.tenant, digest)) ?? ''
  return [{ kind: 'text', callId, text, argumentsDigest: digest, guardrail, reason, expiresAt, turnId, step }]
}

/** Decides on a held text. Fails as `decideCall` does. */
export async function decideHeldText(link: SessionLink, id: string, options: DecisionOptions): Promise<void> {
  const decision = readTextDecision(options)
  const { store, key } = link
  const position = parseHeldId(id)
  const turnId = position && (await turnIdOf(link, position.turn))
  if (position === undefined || turnId === undefined) throw notWaiting(id, link)
  const { step } = position
  const held = await store.find(key, heldKey(turnId, step))
  const noted = await store.find(key, draftKey(turnId, step))
  if (held?.type !== 'guardrail/held' || noted?.type !== 'assistant/draft') throw notWaiting(id, link)
  const kept = await store.getContent(key.tenant, noted.digest)
  const text = await store.getContent(key.tenant, held.digest)
  if (kept === undefined || text === undefined) throw notWaiting(id, link)
  const draft = JSON.parse(kept) as MessageOffer
  const result = await store.commit(key, {
    keys: heldKeys(turnId, step),
    decide: (view) => decideText(view, { draft, text, decision, now: new Date().toISOString() }),
  })
  if (result.kind === 'refused') throw notWaiting(id, link)
  const { answer } = result
  switch (answer.kind) {
    case 'recorded':
      return wake(link, { v: 1, kind: 'decided', id })
    case 'conflict': {
      const { verdict, by = 'a guardrail' } = answer.event
      throw new TurnstepError('already-decided', `Text ${id} was judged before: ${verdict}, by ${by}.`)
    }
    case 'arguments-changed':
      throw new TurnstepError(
        'arguments-changed',
        `The decision on text ${id} is about another text than the one that waits. Look at the approval again.`,
      )
    case 'expired':
      throw new TurnstepError('too-late', `The approval of text ${id} expired at ${answer.expiresAt}.`)
    case 'not-requested':
    case 'closed':
      throw notWaiting(id, link)
  }
}

function readTextDecision(options: DecisionOptions): TextDecision {
  const { decision, argumentsDigest, text, scope, then } = options
  const { by, note, invalid } = readDecider(options)
  if (decision === 'edit' && (typeof text !== 'string' || text.trim() === ''))
    invalid('edit of a text needs text, what is to be said instead')
  if (decision !== 'edit' && text !== undefined) invalid('only edit has a text')
  if (options.arguments !== undefined) invalid('a text has no arguments')
  if (scope === 'session' || then === 'replan')
    invalid('scope and then are for calls; a text can be replanned')
  return {
    decision,
    by,
    ...(note === undefined ? {} : { note }),
    ...(argumentsDigest === undefined ? {} : { argumentsDigest }),
    ...(text === undefined ? {} : { text: text.toWellFormed() }),
  }
}
