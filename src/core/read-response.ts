/**
 * What a model's answer means for the Turn, by how it finished.
 *
 * Tools run after a positive finish only. After any other nothing of the message runs, and the calls that
 * were whole get `output-cut`.
 */
import type { Finish } from './event.ts'
import type { ModelResponse, RawCall } from './ports.ts'

export type ResponseMeaning =
  /** Calls to run, after a positive finish. */
  | { readonly kind: 'calls'; readonly calls: readonly RawCall[] }
  | { readonly kind: 'final' }
  /** `calls` are kept with a receipt that says so. */
  | { readonly kind: 'cut'; readonly calls: readonly RawCall[] }
  | { readonly kind: 'refused'; readonly calls: readonly RawCall[] }
  /** Neither text nor calls; reasoning alone is empty. */
  | { readonly kind: 'empty' }

export function meaningOf(response: Pick<ModelResponse, 'text' | 'calls' | 'finish'>): ResponseMeaning {
  const { calls, finish } = response
  const hasText = response.text.trim() !== ''
  if (finish === 'content_filter' || finish === 'refusal')
    return { kind: 'refused', calls: wholeCalls(response) }
  if (!isPositive(finish)) return { kind: 'cut', calls: keptOfCut(response, hasText) }
  if (calls.length > 0) return { kind: 'calls', calls }
  return hasText ? { kind: 'final' } : { kind: 'empty' }
}

function isPositive(finish: Finish): boolean {
  return finish === 'stop' || finish === 'tool_calls'
}

function wholeCalls(response: Pick<ModelResponse, 'calls'>): readonly RawCall[] {
  return response.calls.filter((call) => call.isWhole)
}

/**
 * A message needs text or a call, or the model would not learn that it was cut: where nothing else is left,
 * calls that were not whole are kept, without their arguments.
 */
function keptOfCut(response: Pick<ModelResponse, 'calls'>, hasText: boolean): readonly RawCall[] {
  const whole = wholeCalls(response)
  if (whole.length > 0 || hasText) return whole
  return response.calls.map((call) => ({ ...call, argumentsText: '{}' }))
}
