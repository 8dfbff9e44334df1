import type { AgentLimits } from './agent.ts'
import { defined } from './defined.ts'
import type { ToolDescription } from './ports.ts'
import type { Redact } from './redact-windows.ts'
import type { ResultTextOptions } from './result-text.ts'
import type { SpillWriter } from './spill.ts'

/** How a result of a tool is bounded and spilled, by what its definition and its agent say. */
export function resultOptions(of: {
  readonly tool: Pick<ToolDescription, 'result'> | undefined
  readonly limits: AgentLimits
  readonly redact?: Redact | undefined
  readonly beginSpill: (options: { readonly quotaBytes: number }) => Promise<SpillWriter>
}): ResultTextOptions {
  const { tool, limits, redact, beginSpill } = of
  const { maxCharacters, spill } = tool?.result ?? {}
  const { spillBytes: aboveBytes, spillQuotaBytes: quotaBytes } = limits
  const keep = { aboveBytes, open: () => beginSpill({ quotaBytes }) }
  return defined({ maxCharacters, redact, spill: spill === 'never' ? undefined : keep })
}
