import { TurnstepError } from '../core/errors.ts'
import type { RefusalReason } from '../core/event.ts'
import type { Lane } from '../core/wire.ts'
import type { SessionLink } from './session-link.ts'
import { fateOf } from './session-link.ts'
import { pendingInputs } from './withdraw-input.ts'

/** What became of an input so far. */
export type FateOfInput =
  | { readonly inputId: string; readonly fate: 'queued'; readonly lane: Lane }
  /** `step` is set for a steer that joined a Turn. */
  | {
      readonly inputId: string
      readonly fate: 'claimed'
      readonly turnId: string
      readonly turn: number
      readonly step?: number
    }
  | { readonly inputId: string; readonly fate: 'withdrawn' }
  | { readonly inputId: string; readonly fate: 'refused'; readonly reason: RefusalReason }

/**
 * Where an input is: by the log, else by the workflow that has it waiting. Fails with `input-not-found`, and with
 * `temporal-unavailable` when no worker says what waits.
 */
export async function readInputFate(link: SessionLink, inputId: string): Promise<FateOfInput> {
  const recorded = await recordedFate(link, inputId)
  if (recorded !== undefined) return recorded
  const waiting = (await pendingInputs(link)).find(({ id }) => id === inputId)
  if (waiting !== undefined) return { inputId, fate: 'queued', lane: waiting.lane }
  // It may have been claimed in between.
  const since = await recordedFate(link, inputId)
  if (since !== undefined) return since
  throw new TurnstepError(
    'input-not-found',
    `Input ${inputId} is neither in the log of session ${link.key.session} nor waiting.`,
  )
}

async function recordedFate(link: SessionLink, inputId: string): Promise<FateOfInput | undefined> {
  const event = await fateOf(link, inputId)
  switch (event?.type) {
    case 'user/message': {
      const { turnId, turn, step } = event
      return { inputId, fate: 'claimed', turnId, turn, ...(step === undefined ? {} : { step }) }
    }
    case 'input/withdrawn':
      return { inputId, fate: 'withdrawn' }
    case 'input/refused':
      return { inputId, fate: 'refused', reason: event.reason }
    default:
      return undefined
  }
}
