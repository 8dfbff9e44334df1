/**
 * Whether reasoning is sent back to the provider that it came from.
 */

/**
 * `never`: it is dropped. `within-turn`: it is sent with the messages since the last one that ended a Turn, so
 * that the model goes on with its thoughts between tool calls. `always`: with every message.
 */
export type ReasoningReplay = 'never' | 'within-turn' | 'always'

/** The default for a provider, by host and model. */
export function defaultReasoningReplay(_host: string, _model: string): ReasoningReplay {
  return 'never'
}
