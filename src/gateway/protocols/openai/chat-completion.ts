/**
 * A Turn as a Chat Completion. The agent's own calls do not show: whoever asks is not to run them.
 */
import type { ChatCompletion, ChatCompletionChunk } from 'openai/resources/chat/completions'
import type { EndReason, TurnEnd } from '../../../core/event.ts'
import type { Usage } from '../../../core/usage.ts'
import type { SpokenTurn } from './spoken-turn.ts'

type FinishReason = 'stop' | 'length' | 'content_filter'

/** A limit of the Turn is to a caller what a limit of the output is; why exactly is in the text and in `turnstep`. */
const FINISH: Readonly<Record<EndReason, FinishReason>> = {
  completed: 'stop',
  aborted: 'stop',
  error: 'stop',
  stalled: 'stop',
  'max-tokens': 'length',
  'max-steps': 'length',
  'max-duration': 'length',
  'token-budget': 'length',
  'cost-budget': 'length',
  blocked: 'content_filter',
  'provider-refused': 'content_filter',
}

/** What the protocol has no field for. */
export interface TurnNote {
  readonly session_id: string
  readonly turn_id: string
  readonly end: EndReason
  readonly code?: string
}

export interface CompletionPlace {
  readonly id: string
  readonly session: string
  /** The agent. */
  readonly model: string
}

export type ChunkOfTurn = ChatCompletionChunk & { readonly turnstep?: TurnNote }
export type CompletionOfTurn = ChatCompletion & { readonly turnstep: TurnNote }

export function finishOf(reason: EndReason): FinishReason {
  return FINISH[reason]
}

export function noteOf(session: string, { turnId, reason, code }: TurnEnd): TurnNote {
  return { session_id: session, turn_id: turnId, end: reason, ...(code === undefined ? {} : { code }) }
}

export function completionUsage(usage: Usage): NonNullable<ChatCompletion['usage']> {
  const { inputTokens, outputTokens, cachedInputTokens = 0, reasoningTokens = 0 } = usage
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cachedInputTokens },
    completion_tokens_details: { reasoning_tokens: reasoningTokens },
  }
}

/** Seconds since 1970. */
export function secondsOf(at: string): number {
  return Math.floor(Date.parse(at) / 1_000)
}

/** The whole answer, once the Turn has ended. */
export function completionOf(place: CompletionPlace, turn: SpokenTurn, end: TurnEnd): CompletionOfTurn {
  const reasoning = turn.textOf('reasoning')
  const message = {
    role: 'assistant' as const,
    content: turn.textOf('text'),
    refusal: null,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
  }
  return {
    id: place.id,
    object: 'chat.completion',
    created: secondsOf(turn.beganAt ?? ''),
    model: place.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishOf(end.reason) }],
    usage: completionUsage(end.usage),
    turnstep: noteOf(place.session, end),
  }
}
