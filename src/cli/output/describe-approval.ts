import type { PendingApproval } from '../../client/index.ts'
import { oneLine } from './terminal-text.ts'

/** Enough to judge by; a longer value says so, and `turnstep decide --json` has all of it. */
const MAX_VALUE = 2_000

/** A call that waits for a decision, for a person: what would run, argument by argument, and until when. */
export function describeApproval(
  approval: Pick<PendingApproval, 'callId' | 'tool' | 'arguments' | 'risk' | 'expiresAt'>,
): readonly string[] {
  const { callId, tool, risk, expiresAt } = approval
  return [
    `? ${oneLine(tool, 64)} waits for approval: ${callId}, risk ${risk}, until ${expiresAt}`,
    ...argumentLines(approval.arguments),
  ]
}

function argumentLines(text: string): readonly string[] {
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null) return [`    ${oneLine(text, MAX_VALUE)}`]
  return Object.entries(value).map(
    ([name, held]) => `    ${oneLine(name, 64)}: ${oneLine(JSON.stringify(held), MAX_VALUE)}`,
  )
}
