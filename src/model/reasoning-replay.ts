/**
 * Whether reasoning is sent back to the provider that it came from.
 */

/**
 * `never`: it is dropped. `within-turn`: it is sent with the messages since the last one that ended a Turn, so
 * that the model goes on with its thoughts between tool calls. `always`: with every message, and where a message
 * with calls has none while others do, a blank is sent in its place.
 */
export type ReasoningReplay = 'never' | 'within-turn' | 'always'

interface ReplayRule {
  readonly host?: RegExp
  readonly model?: RegExp
  readonly replay: ReasoningReplay
}

/** The first that matches counts. Each with its source, as of 2026. */
const RULES: readonly ReplayRule[] = [
  // Demands `reasoning_content` of every message with calls, in all later requests, else 400; ignores it elsewhere:
  // https://api-docs.deepseek.com/guides/thinking_mode
  { host: /(^|\.)deepseek\.com$/, replay: 'always' },
  // 400 "thinking is enabled but reasoning_content is missing in assistant tool call message":
  // https://github.com/n8n-io/n8n/issues/29142
  { host: /(^|\.)moonshot\.(ai|cn)$/, replay: 'always' },
  // "must be preserved and returned together with the tool results", unmodified:
  // https://docs.z.ai/guides/capabilities/thinking-mode
  { host: /(^|\.)(z\.ai|bigmodel\.cn)$/, replay: 'always' },
  // Refuse fields that they do not know: https://github.com/janhq/jan/issues/8136 (Groq),
  // https://github.com/Kilo-Org/kilocode/issues/10375 (Cerebras). OpenAI shows no reasoning in Chat Completions.
  {
    host: /(^|\.)(openai\.com|azure\.com|groq\.com|cerebras\.ai|mistral\.ai|googleapis\.com)$/,
    replay: 'never',
  },
  // The same models behind gateways: https://github.com/warpdotdev/warp/issues/11587 (DeepSeek),
  // https://github.com/mastra-ai/mastra/issues/12592 (Kimi).
  { model: /deepseek-?(v[4-9]|reasoner|flash|pro)|kimi-?k[2-9]/i, replay: 'always' },
  // Takes `reasoning` back, for models that think between calls:
  // https://openrouter.ai/docs/use-cases/reasoning-tokens
  { host: /(^|\.)openrouter\.ai$/, replay: 'within-turn' },
]

/** The default for a provider, by the name of its host (without port) and the model: `never` where nothing is known. */
export function defaultReasoningReplay(hostname: string, model: string): ReasoningReplay {
  const matching = RULES.find(
    (rule) => (rule.host?.test(hostname) ?? true) && (rule.model?.test(model) ?? true),
  )
  return matching?.replay ?? 'never'
}
