/**
 * A Turn as a response of the Responses API.
 */
import type {
  Response,
  ResponseOutputItem,
  ResponseOutputMessage,
  ResponseReasoningItem,
  ResponseStatus,
} from 'openai/resources/responses/responses'
import type { EndReason, TurnEnd } from '../../../core/event.ts'
import type { Usage } from '../../../core/usage.ts'
import { noteOf, secondsOf, type TurnNote } from './chat-completion.ts'
import type { Spoken, SpokenTurn } from './spoken-turn.ts'

/** What a response is about, whatever becomes of it. */
export interface ResponsePlace {
  readonly id: string
  readonly session: string
  /** The agent. */
  readonly model: string
  readonly previousId?: string
  readonly background?: boolean
  readonly metadata?: Readonly<Record<string, string>>
  /** ISO 8601: when it was asked for, until its Turn has begun. */
  readonly askedAt: string
}

export type ResponseOfTurn = Omit<Response, 'output_text'> & { readonly turnstep?: TurnNote }

const STATUS: Readonly<Partial<Record<EndReason, ResponseStatus>>> = {
  completed: 'completed',
  aborted: 'cancelled',
  error: 'failed',
}

/** The protocol knows two reasons; of the other ends no reason is given here, and `turnstep.end` has it. */
const INCOMPLETE: Readonly<Partial<Record<EndReason, 'max_output_tokens' | 'content_filter'>>> = {
  'max-tokens': 'max_output_tokens',
  'token-budget': 'max_output_tokens',
  blocked: 'content_filter',
  'provider-refused': 'content_filter',
}

/** The response as far as its Turn has come. */
export function responseOf(place: ResponsePlace, turn: SpokenTurn): ResponseOfTurn {
  const { end } = turn
  const base = {
    id: place.id,
    object: 'response' as const,
    created_at: secondsOf(turn.beganAt ?? place.askedAt),
    model: place.model,
    instructions: null,
    metadata: { ...place.metadata },
    parallel_tool_calls: true,
    temperature: null,
    top_p: null,
    tool_choice: 'auto' as const,
    tools: [],
    background: place.background ?? false,
    previous_response_id: place.previousId ?? null,
  }
  if (turn.lostInput !== undefined) {
    const { fate, reason } = turn.lostInput
    return fate === 'withdrawn'
      ? { ...base, status: 'cancelled', output: [], error: null, incomplete_details: null }
      : {
          ...base,
          status: 'failed',
          output: [],
          error: { code: 'invalid_prompt', message: `The message was not taken: ${reason ?? fate}.` },
          incomplete_details: null,
        }
  }
  if (end === undefined) {
    const status = turn.turnId === undefined ? 'queued' : 'in_progress'
    return { ...base, status, output: [], error: null, incomplete_details: null }
  }
  return {
    ...base,
    ...endOf(end),
    output: turn.spoken.map(itemOf),
    usage: usageOf(end.usage),
    turnstep: noteOf(place.session, end),
  }
}

function endOf(
  end: TurnEnd,
): Pick<Response, 'error' | 'incomplete_details'> & { readonly status: ResponseStatus } {
  const { reason, handBack } = end
  const status = STATUS[reason] ?? 'incomplete'
  const why = INCOMPLETE[reason]
  return {
    status,
    error:
      status === 'failed'
        ? { code: 'server_error', message: handBack?.blockedBy ?? 'The turn ended with an error.' }
        : null,
    incomplete_details: status === 'incomplete' ? (why === undefined ? {} : { reason: why }) : null,
  }
}

/** A whole output item. */
export function itemOf({ id, channel, text }: Spoken): ResponseOutputItem {
  return channel === 'text' ? messageItem(id, text, 'completed') : reasoningItem(id, text, 'completed')
}

export function messageItem(
  id: string,
  text: string | undefined,
  status: ResponseOutputMessage['status'],
): ResponseOutputMessage {
  const content = text === undefined ? [] : [textPart(text)]
  return { id: `msg_${id}`, type: 'message', role: 'assistant', status, content }
}

export function reasoningItem(
  id: string,
  text: string | undefined,
  status: 'in_progress' | 'completed' | 'incomplete',
): ResponseReasoningItem {
  const content = text === undefined ? [] : [{ type: 'reasoning_text' as const, text }]
  return { id: `rs_${id}`, type: 'reasoning', summary: [], status, content }
}

export function textPart(text: string) {
  return { type: 'output_text' as const, text, annotations: [], logprobs: [] }
}

function usageOf(usage: Usage): NonNullable<Response['usage']> {
  const { inputTokens, outputTokens, cachedInputTokens = 0, reasoningTokens = 0 } = usage
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cachedInputTokens, cache_write_tokens: 0 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: inputTokens + outputTokens,
  }
}
