/**
 * Reading verdicts: whatever a guardrail returned in, a verdict or nothing out.
 */
import type { InputVerdict, OutputVerdict } from './guardrail.ts'
import { textOf } from './message.ts'
import { clip, makePrintable } from './printable-text.ts'
import { readContent } from './read-signal.ts'

const MAX_REASON_CHARACTERS = 500

/** The judgement for a guardrail of which no verdict can be had. Says nothing of what was judged. */
export function failedClosed(guardrail: string): {
  readonly verdict: 'block'
  readonly guardrail: string
  readonly reason: string
} {
  return { verdict: 'block', guardrail, reason: `guardrail ${guardrail} failed` }
}

/** What an input guardrail returned, read once; undefined for what is no verdict of that stage. */
export function readInputVerdict(value: unknown): InputVerdict | undefined {
  const said = readSaid(value)
  if (said?.verdict === 'rewrite') {
    const content = readContent(said.content)
    if (content === undefined || textOf(content).trim() === '') return undefined
    return { verdict: 'rewrite', content }
  }
  return readCommon(said)
}

/** What an output guardrail returned, read once; undefined for what is no verdict of that stage. */
export function readOutputVerdict(value: unknown): OutputVerdict | undefined {
  const said = readSaid(value)
  const { verdict, content, reason } = said ?? {}
  if (verdict === 'rewrite') {
    if (typeof content !== 'string' || content.trim() === '') return undefined
    return { verdict, content: content.toWellFormed() }
  }
  if ((verdict === 'object' || verdict === 'hold') && typeof reason === 'string')
    return { verdict, reason: boundedReason(reason) }
  return readCommon(said)
}

interface Said {
  readonly verdict?: unknown
  readonly content?: unknown
  readonly reason?: unknown
}

function readSaid(value: unknown): Said | undefined {
  return typeof value === 'object' && value !== null ? value : undefined
}

function readCommon(
  said: Said | undefined,
): Extract<InputVerdict, { verdict: 'pass' | 'block' }> | undefined {
  if (said?.verdict === 'pass') return { verdict: 'pass' }
  if (said?.verdict !== 'block' || typeof said.reason !== 'string') return undefined
  return { verdict: 'block', reason: boundedReason(said.reason) }
}

/** A reason goes to the human and, with the hand-back, to the model: it is kept short. */
function boundedReason(reason: string): string {
  return clip(makePrintable(reason).trim(), MAX_REASON_CHARACTERS)
}
