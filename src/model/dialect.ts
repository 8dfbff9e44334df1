/**
 * What a provider wants otherwise than OpenAI does.
 */
import { defaultReasoningReplay, type ReasoningReplay } from './reasoning-replay.ts'

export interface Dialect {
  readonly reasoningReplay: ReasoningReplay
  /** `nine-characters`: call ids are sent as nine letters and digits, derived from ours. */
  readonly callIds: 'ours' | 'nine-characters'
  /** `placeholder`: the first call of each message bears Google's mark for a signature that was not kept. */
  readonly thoughtSignatures: 'none' | 'placeholder'
}

/** "Tool call id … must be a-z, A-Z, 0-9, with a length of 9": https://github.com/anomalyco/opencode/issues/1680 */
const MISTRAL_HOST = /(^|\.)mistral\.ai$/
/** The same rule in the templates of these models, whoever runs them: https://github.com/ml-explore/mlx-lm/issues/1375 */
const MISTRAL_MODEL = /(?:mis|minis|magis|codes|devs|pix)tral|mixtral/i

/** "Function call is missing a thought_signature": https://github.com/openai/openai-agents-python/issues/2137 */
const GOOGLE_HOST = /(^|\.)googleapis\.com$/
const SIGNING_MODEL = /gemini-(?:[3-9]|\d\d)/i

/** The dialect of a provider, by the name of its host (without port) and the model. */
export function dialectOf(hostname: string, model: string): Dialect {
  const wantsNineCharacters = MISTRAL_HOST.test(hostname) || MISTRAL_MODEL.test(model)
  const wantsSignatures = GOOGLE_HOST.test(hostname) && SIGNING_MODEL.test(model)
  return {
    reasoningReplay: defaultReasoningReplay(hostname, model),
    callIds: wantsNineCharacters ? 'nine-characters' : 'ours',
    thoughtSignatures: wantsSignatures ? 'placeholder' : 'none',
  }
}
