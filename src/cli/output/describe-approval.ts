import type { HeldText, PendingApproval, PendingCallApproval } from '../../client/index.ts'
import { clip } from '../../core/printable-text.ts'
import { makeVisible } from '../../core/visible-text.ts'
import { oneLine } from './terminal-text.ts'

/** Enough to judge by; a longer value says so, and `turnstep decide --json` has all of it. */
const MAX_VALUE = 2_000

/** What waits for a decision, for a person. */
export function describeWaiting(approval: PendingApproval): readonly string[] {
  return approval.kind === 'call'
    ? describeApproval(approval)
    : [...describeHeld(approval), ...describeText(approval.text)]
}

/** That a text of the model waits for a decision, and why; not what it says. */
export function describeHeld(
  held: Pick<HeldText, 'callId' | 'guardrail' | 'reason' | 'expiresAt'>,
): readonly string[] {
  const { callId, guardrail, reason, expiresAt } = held
  return [
    `? An answer waits for approval: ${callId}, held by ${oneLine(guardrail, 64)} (${oneLine(reason, 200)}), until ${expiresAt}`,
  ]
}

/** A text, line by line, with all that it has. */
export function describeText(text: string): readonly string[] {
  return makeVisible(text)
    .split(/\r?\n/)
    .map((line) => `    ${clip(line, MAX_VALUE)}`)
}

/** A call that waits for a decision, for a person: what would run, argument by argument, and until when. */
export function describeApproval(
  approval: Pick<PendingCallApproval, 'callId' | 'tool' | 'arguments' | 'risk' | 'expiresAt' | 'preview'>,
): readonly string[] {
  const { callId, tool, risk, expiresAt, preview } = approval
  return [
    `? ${oneLine(tool, 64)} waits for approval: ${callId}, risk ${risk}, until ${expiresAt}`,
    ...argumentLines(approval.arguments),
    ...(preview === undefined ? [] : describeText(preview.diff.trimEnd())),
  ]
}

function argumentLines(text: string): readonly string[] {
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null) return describeText(text)
  return Object.entries(value).map(
    ([name, held]) =>
      `    ${oneLine(makeVisible(name), 64)}: ${clip(makeVisible(JSON.stringify(held)), MAX_VALUE)}`,
  )
}
