/**
 * What all detectors find in a text, without overlaps.
 */

import type { Detector, Span } from './detector.ts'
import { matchesOf } from './matches-of.ts'
import { PLACEHOLDER } from './placeholder.ts'

/** A stretch to be replaced, and what it is replaced as. */
export interface FoundSpan {
  readonly start: number
  readonly end: number
  readonly detector: string
  /** What the placeholder stands for. */
  readonly normalized: string
}

interface Candidate extends Span {
  readonly detector: string
  /** Place of its detector in the list: the smaller, the more severe. */
  readonly rank: number
}

/**
 * Stretches in order of the text. Of what overlaps, the longest names the whole, of equally long ones the one
 * whose detector comes first; what sticks out of it is covered too. Placeholders are left as they are.
 *
 * Fails when a detector does, or answers with something that is no span of the text.
 */
export function findSpans(text: string, detectors: readonly Detector[]): readonly FoundSpan[] {
  const placeholders = [...matchesOf(text, PLACEHOLDER)].map(({ 0: { length }, index }) => ({
    start: index,
    end: index + length,
  }))
  const candidates = detectors
    .flatMap((detector, rank) =>
      [...detector.find(text)].map((span) => candidateOf(text, span, { detector, rank })),
    )
    .sort((one, other) => one.start - other.start)
  return clusters(withoutPlaceholders(candidates, placeholders)).map((cluster) => coverOf(text, cluster))
}

function candidateOf(
  text: string,
  span: Span,
  { detector, rank }: { readonly detector: Detector; readonly rank: number },
): Candidate {
  const { start, end, normalized } = span
  const isSpan =
    Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start < end && end <= text.length
  if (!isSpan) throw new Error(`Detector ${detector.name} answered with what is no span of the text.`)
  return { start, end, detector: detector.name, rank, ...(normalized === undefined ? {} : { normalized }) }
}

/** Drops what lies within a placeholder, or cuts into one. Both lists are in order of their starts. */
function withoutPlaceholders(
  candidates: readonly Candidate[],
  placeholders: readonly Span[],
): readonly Candidate[] {
  if (placeholders.length === 0) return candidates
  let first = 0
  return candidates.filter(({ start, end }) => {
    while ((placeholders[first]?.end ?? Number.POSITIVE_INFINITY) <= start) first += 1
    const next = placeholders[first]
    return next === undefined || next.start >= end || (start < next.start && end >= next.end)
  })
}

/** Candidates that hang together, each group in order of starts. */
function clusters(candidates: readonly Candidate[]): readonly (readonly Candidate[])[] {
  const groups: Candidate[][] = []
  let end = -1
  for (const candidate of candidates) {
    if (candidate.start < end) groups.at(-1)?.push(candidate)
    else groups.push([candidate])
    end = Math.max(end, candidate.end)
  }
  return groups
}

function coverOf(text: string, cluster: readonly Candidate[]): FoundSpan {
  const winner = cluster.reduce((best, other) => (isStronger(other, best) ? other : best))
  const start = Math.min(...cluster.map((candidate) => candidate.start))
  const end = cluster.reduce((latest, candidate) => Math.max(latest, candidate.end), 0)
  const isWhole = winner.start === start && winner.end === end
  const normalized = (isWhole ? winner.normalized : undefined) ?? text.slice(start, end)
  return { start, end, detector: winner.detector, normalized }
}

function isStronger(one: Candidate, other: Candidate): boolean {
  const difference = one.end - one.start - (other.end - other.start)
  return difference === 0 ? one.rank < other.rank : difference > 0
}
