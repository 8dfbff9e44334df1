/**
 * Phone numbers: international ones, and national ones by the way they are written. Digits alone are a phone
 * number only next to a word that says so.
 */

import type { Detector, Span } from './detector.ts'
import { matchesOf } from './matches-of.ts'
import { hasContext, isPieceOfCode, mayHoldNumber, withoutUuids } from './surroundings.ts'

interface Form {
  readonly pattern: RegExp
  readonly fewest: number
  readonly most: number
  readonly context?: RegExp
}

const PHONE_WORDS =
  /(?<![a-z])(?:tele)?(?:phones?|fon|fono|fone|fax|mobiles?|mobil|cell(?:ular)?|handy|whatsapp|sms|tel|tél|telefonnummer|téléphone|teléfono|hotline)(?![a-z])/i

/** E.164 has at most 15 digits. */
const FORMS: readonly Form[] = [
  // +49 30 1234567, +1 (415) 555-0132, 0044 20 7946 0958
  {
    pattern:
      /(?<![\w+.])(?:\+|00(?=[1-9]\d{0,2}[ ./-]))[1-9](?:[ \u00a0./-]{0,2}(?:\(0?\d{1,4}\)|\d)){6,15}(?!\d)/g,
    fewest: 8,
    most: 17,
  },
  // (415) 555-0132, (030) 1234567, (11) 91234-5678
  { pattern: /(?<![\w(])\(0?[1-9]\d{1,3}\) ?\d{3,5}(?:[ -]?\d{2,6}){1,2}(?![\w])/g, fewest: 9, most: 12 },
  // 415-555-0132, 415.555.0132, 1-800-555-0199
  {
    pattern: /(?<![\w.+-])(?:1[-. ])?[2-9]\d{2}([-.])[2-9]\d{2}\1\d{4}(?![\w-]|\.\d)/g,
    fewest: 10,
    most: 11,
  },
  // 01 23 45 67 89, 020 7946 0958, 0171/1234567, 090-1234-5678
  {
    pattern:
      /(?<![\w.+/-])(?<!\d )0[1-9]\d{0,4}(?: ?[/.-] ?|[ \u00a0])\d{2,8}(?:[ \u00a0./-]\d{1,5}){0,4}(?![\w]|[-.:/]\d)/g,
    fewest: 9,
    most: 12,
  },
  // 138-0013-8000
  { pattern: /(?<![\w.+-])1[3-9]\d([- ])\d{4}\1\d{4}(?![\w-]|\.\d)/g, fewest: 11, most: 11 },
  {
    pattern: /(?<![\w.+/-])\d(?:[ ./-]?\d){6,14}(?![\w]|[-.:/]\d)/g,
    fewest: 7,
    most: 15,
    context: PHONE_WORDS,
  },
]

export const phone: Detector<'phone'> = {
  name: 'phone',
  *find(text) {
    if (!mayHoldNumber(text)) return
    const readable = withoutUuids(text)
    for (const form of FORMS) {
      for (const match of matchesOf(readable, form.pattern)) {
        const span = { start: match.index, end: match.index + match[0].length }
        if (isPhone(readable, match[0], { form, span })) yield { ...span, normalized: dialled(match[0]) }
      }
    }
  },
}

function isPhone(
  text: string,
  written: string,
  { form, span }: { readonly form: Form; readonly span: Span },
): boolean {
  const digits = written.replace(/\D/g, '')
  if (digits.length < form.fewest || digits.length > form.most) return false
  if (isPieceOfCode(text, span.start, span.end) || isSomethingElse(written)) return false
  return form.context === undefined || hasContext(text, span, form.context)
}

const DATE = /(?<!\d)(?:\d{1,2}([-./])\d{1,2}\1(?:19|20)\d{2}|(?:19|20)\d{2}([-./ ])\d{1,2}\2\d{1,2})(?!\d)/
const ADDRESS_OF_HOST = /^\d{1,3}(?:\.\d{1,3}){3}$/

/** Dates, addresses of hosts, fractions and numbers whose digits are all the same. */
function isSomethingElse(written: string): boolean {
  return (
    DATE.test(written) ||
    ADDRESS_OF_HOST.test(written) ||
    /^\+?\d+\.\d+$/.test(written) ||
    /^0*(\d)\1*$/.test(written.replace(/\D/g, ''))
  )
}

/** As it is dialled: digits alone, with a plus in front of a country's code; an optional (0) is no part of it. */
function dialled(written: string): string {
  const isInternational = /^(?:\+|00)/.test(written)
  const digits = (isInternational ? written.replace(/\(0\)/, '') : written).replace(/\D/g, '')
  return isInternational ? `+${digits.replace(/^00/, '')}` : digits
}
