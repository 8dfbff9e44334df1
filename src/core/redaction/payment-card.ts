/**
 * Payment cards: an issuer's prefix with a length that it issues, a valid check digit, written as people do.
 */

import { passesLuhn } from './checksums.ts'
import type { Detector, Span } from './detector.ts'
import { matchesOf } from './matches-of.ts'
import { isPieceOfCode, mayHoldNumber, withoutUuids } from './surroundings.ts'

/** Groups of digits with one or two separators between them: spaces, dashes and their typographic kin, dots. */
const DIGIT_GROUPS = /\d+(?:[ \u00a0\u2007\u2009\u202f.\-\u2010-\u2013]{1,3}\d+)*/g

/** Prefixes by issuer with the lengths that are issued (ISO/IEC 7812; the issuers' own ranges). */
const ISSUERS: readonly { readonly prefix: RegExp; readonly lengths: readonly number[] }[] = [
  { prefix: /^4/, lengths: [13, 16, 19] }, // Visa
  { prefix: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, lengths: [16] }, // Mastercard
  { prefix: /^3[47]/, lengths: [15] }, // American Express
  { prefix: /^(?:6011|64[4-9]|65)/, lengths: [16, 17, 18, 19] }, // Discover
  { prefix: /^(?:30[0-5]|3095|36|3[89])/, lengths: [14, 15, 16, 17, 18, 19] }, // Diners Club
  { prefix: /^35(?:2[89]|[3-8])/, lengths: [16, 17, 18, 19] }, // JCB
  { prefix: /^(?:62|81)/, lengths: [16, 17, 18, 19] }, // UnionPay
  { prefix: /^220[0-4]/, lengths: [16, 17, 18, 19] }, // Mir
  { prefix: /^(?:60|82|508)/, lengths: [16] }, // RuPay
  { prefix: /^(?:50[0-9]|5[6-9]|6[0-9])/, lengths: [13, 14, 15, 16, 17, 18, 19] }, // Maestro
  { prefix: /^9792/, lengths: [16] }, // Troy
]

const FEWEST = 13
const MOST = 19

export const paymentCard: Detector<'card'> = {
  name: 'card',
  *find(text) {
    if (!mayHoldNumber(text)) return
    const readable = withoutUuids(text)
    for (const match of matchesOf(readable, DIGIT_GROUPS)) {
      if (match[0].length >= FEWEST) yield* cardsIn(readable, match[0], match.index)
    }
  },
}

/** Cards among neighbouring groups, because a number in front of a card looks like another group of it. */
function* cardsIn(text: string, run: string, offset: number): Generator<Span> {
  const groups = [...matchesOf(run, /\d+/g)]
  for (let first = 0; first < groups.length; first += 1) {
    const last = lastOfCard(text, groups, { first, offset })
    if (last === undefined) continue
    const [from, to] = [groups[first], groups[last]]
    if (from === undefined || to === undefined) continue
    const start = offset + from.index
    const end = offset + to.index + to[0].length
    yield { start, end, normalized: text.slice(start, end).replace(/\D/g, '') }
    first = last
  }
}

/** The last group of the longest card that begins with a group. */
function lastOfCard(
  text: string,
  groups: readonly RegExpExecArray[],
  at: { readonly first: number; readonly offset: number },
): number | undefined {
  let digits = ''
  let layout = ''
  let found: number | undefined
  for (let last = at.first; last < groups.length && digits.length < MOST; last += 1) {
    const group = groups[last]?.[0] ?? ''
    digits += group
    layout += `${layout === '' ? '' : '-'}${group.length}`
    if (!MAY_BEGIN.test(layout)) break
    if (digits.length < FEWEST || digits.length > MOST) continue
    if (last > at.first && !LAYOUT.test(layout)) continue
    const isCard = isIssued(digits) && passesLuhn(digits)
    if (isCard && isWrittenAsCard(text, groups.slice(at.first, last + 1), at.offset)) found = last
  }
  return found
}

/** Sizes of groups, as people and issuers part the digits; and how these begin. */
const LAYOUT = /^(?:4-4-4-[1-4]|4-4-4-4-[1-3]|4-4-5|4-3-3-3|4-6-[45]|8-8|6-13)$/
const MAY_BEGIN = /^(?:4(?:-|$)|[68](?:-|$)|1[3-9]$)/

function isIssued(digits: string): boolean {
  return ISSUERS.some(({ prefix, lengths }) => lengths.includes(digits.length) && prefix.test(digits))
}

/** With one kind of separator, or as one group that is no fraction; and no piece of something longer. */
function isWrittenAsCard(text: string, groups: readonly RegExpExecArray[], offset: number): boolean {
  const [first, ...rest] = groups
  const last = groups.at(-1)
  if (first === undefined || last === undefined) return false
  const start = offset + first.index
  const end = offset + last.index + last[0].length
  if (isPieceOfCode(text, start, end)) return false
  if (/\d\.$/.test(text.slice(Math.max(0, start - 2), start))) return false
  if (rest.length === 0) return !/^\.\d/.test(text.slice(end, end + 2))
  const separators = new Set(text.slice(start, end).split(/\d+/).slice(1, -1))
  return separators.size === 1
}
