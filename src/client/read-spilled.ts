/**
 * Spilled outputs for humans and applications.
 */
import { setImmediate as nextRound } from 'node:timers/promises'
import { RE2JS } from 're2js'
import { TurnstepError } from '../core/errors.ts'
import { grepSpill, type SpillMatches, type TextPattern } from '../core/grep-spill.ts'
import { readSpill, type SpillPage } from '../core/read-spill.ts'
import type { SpillReader } from '../core/spill.ts'
import type { SessionLink } from './session-link.ts'

export interface SpillQuery {
  /** First line, from 1. Default 1. */
  readonly from?: number
  /** Where in that line, from 1, in UTF-16 units. Default 1. */
  readonly column?: number
  /** At most so many lines or matches. Default 1,000. */
  readonly lines?: number
}

/** What is found within this is returned, and where to go on. */
const SEARCH_MS = 10_000

/** A pattern's time grows with its program; one without counted repetitions stays below this. */
const MAX_PROGRAM = 1_200

/** What one answer holds at most, in UTF-16 units. */
const PAGE_CHARACTERS = 1_000_000

/** Lines of a spill. Fails with `spill-not-found`. */
export async function readSpilled(link: SessionLink, id: string, query: SpillQuery): Promise<SpillPage> {
  const { lines = 1_000 } = query
  const wanted = { from: placeOf(query), lines, characters: PAGE_CHARACTERS }
  return (await readSpill(spillsOf(link), id, wanted)) ?? notFound(link, id)
}

/** Lines of a spill that match an RE2 pattern. Fails with `spill-not-found`, and `invalid-input` for the pattern. */
export async function searchSpilled(
  link: SessionLink,
  { id, pattern }: { readonly id: string; readonly pattern: string },
  query: SpillQuery,
): Promise<SpillMatches> {
  const endsAt = performance.now() + SEARCH_MS
  const search = {
    pattern: compile(pattern),
    limit: query.lines ?? 1_000,
    from: placeOf(query),
    isOver: () => performance.now() > endsAt,
    pause: nextRound,
  }
  return (await grepSpill(spillsOf(link), id, search)) ?? notFound(link, id)
}

function placeOf({ from = 1, column = 1 }: SpillQuery): { readonly line: number; readonly column: number } {
  return { line: from - 1, column: column - 1 }
}

function spillsOf({ store, key }: SessionLink): SpillReader {
  return {
    find: (id) => store.spill(key, id),
    async chunk(id, query) {
      // An embedded store answers at once: reading all of a large spill would stop everything else.
      await nextRound()
      return store.spillChunk(key, id, query)
    },
  }
}

function compile(pattern: string): TextPattern {
  const expression = parse(pattern)
  if (expression.programSize() > MAX_PROGRAM)
    throw new TurnstepError('invalid-input', 'The pattern is too large: repeat less in it.')
  return {
    test: (text) => expression.test(text),
    find(text, from) {
      const matcher = expression.matcher(text)
      return matcher.find(from) ? { start: matcher.start(), end: matcher.end() } : undefined
    },
  }
}

function parse(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern)
  } catch (cause) {
    throw new TurnstepError('invalid-input', 'The pattern is not a regular expression in RE2 syntax.', {
      cause,
    })
  }
}

function notFound({ key }: SessionLink, id: string): never {
  throw new TurnstepError(
    'spill-not-found',
    `Session ${key.session} has no spill ${id}. Spills are removed after some time.`,
  )
}
