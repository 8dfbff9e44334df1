/**
 * Preparing the calls of a message: arguments parsed and validated before anything runs.
 */
import type { UnrunnableCall } from '../core/decide-step.ts'
import type { RiskLevel } from '../core/event.ts'
import { parseArguments } from '../core/parse-arguments.ts'
import type { RawCall, ToolDescription, ToolHost } from '../core/ports.ts'
import { clip } from '../core/printable-text.ts'
import { synthesizedText } from '../core/receipt.ts'

export interface PreparedCall {
  readonly tool: string
  /** JSON text of an object, in canonical form. */
  readonly arguments: string
  /** Set when the call can run. */
  readonly risk?: RiskLevel
  /** Set when the call gets its receipt at once. */
  readonly unrunnable?: Omit<UnrunnableCall, 'index'>
}

/** How much of arguments that are not JSON is kept for the model to see. */
const MALFORMED_LIMIT = 1_000

/** Judges each call by the agent's tools, as the Turn's snapshot describes them. */
export async function prepareCalls(
  calls: readonly RawCall[],
  by: { readonly tools: readonly ToolDescription[]; readonly host: ToolHost },
): Promise<readonly PreparedCall[]> {
  return Promise.all(calls.map((call) => prepareCall(call, by)))
}

/** Calls of a message that was cut: kept as far as they can be read, and never run. */
export function cutCalls(calls: readonly RawCall[]): readonly PreparedCall[] {
  return calls.map((call) => ({
    tool: nameOf(call),
    arguments: argumentsOf(call),
    unrunnable: { kind: 'output-cut', content: synthesizedText('output-cut') },
  }))
}

async function prepareCall(
  call: RawCall,
  by: { readonly tools: readonly ToolDescription[]; readonly host: ToolHost },
): Promise<PreparedCall> {
  const prepared = { tool: nameOf(call), arguments: argumentsOf(call) }
  if (!by.tools.some(({ name }) => name === call.tool)) {
    const known = by.tools.map(({ name }) => name).join(', ')
    const content = `There is no tool ${JSON.stringify(clip(call.tool, 100))}. ${known === '' ? 'You have no tools.' : `Your tools: ${clip(known, 1_000)}.`}`
    return { ...prepared, unrunnable: { kind: 'unknown-tool', content } }
  }
  const parsed = parseArguments(call.argumentsText)
  if (parsed.kind === 'invalid') {
    return { ...prepared, unrunnable: { kind: 'invalid-arguments', content: parsed.problem } }
  }
  const validation = await by.host.validate(call.tool, parsed.value)
  if (validation.kind === 'valid') return { ...prepared, risk: validation.risk }
  return { ...prepared, unrunnable: { kind: 'invalid-arguments', content: validation.problem } }
}

/** The name as providers accept it when it is sent back. */
function nameOf(call: RawCall): string {
  const name = call.tool.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64)
  return name === '' ? 'unknown' : name
}

function argumentsOf(call: RawCall): string {
  const parsed = parseArguments(call.argumentsText)
  if (parsed.kind === 'parsed') return parsed.canonical
  return JSON.stringify({ malformed: clip(call.argumentsText, MALFORMED_LIMIT).toWellFormed() })
}
