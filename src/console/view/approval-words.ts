/**
 * What is said of something that waits for a human.
 */
import type { PendingApproval } from '../api/answers.ts'
import { formatDuration } from './format.ts'

export function subjectOf(approval: PendingApproval): string {
  if (approval.kind === 'text') return 'An answer is held for you to judge'
  const { preview } = approval
  return preview === undefined
    ? `${approval.tool} waits for your approval`
    : `${approval.tool} would change ${preview.path}`
}

/** How long is left; minutes are enough until the last one. */
export function remainingText(expiresAt: string, now: number): string {
  const leftMs = Date.parse(expiresAt) - now
  if (Number.isNaN(leftMs)) return 'no time limit is known'
  if (leftMs <= 0) return 'its time is over'
  const whole = leftMs < 60_000 ? Math.ceil(leftMs / 1_000) * 1_000 : leftMs
  return `expires in ${leftMs < 60_000 ? `${whole / 1_000} s` : formatDuration(whole)}`
}

export function isObjectJson(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
