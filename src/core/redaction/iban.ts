/**
 * International bank account numbers, in one piece or in groups (ISO 13616).
 */

import { remainder } from './checksums.ts'
import type { Detector } from './detector.ts'
import { matchesOf } from './matches-of.ts'

/** Length by country, as the IBAN registry has it. */
const LENGTHS: Readonly<Record<string, number>> = {
  AD: 24,
  AE: 23,
  AL: 28,
  AT: 20,
  AZ: 28,
  BA: 20,
  BE: 16,
  BG: 22,
  BH: 22,
  BI: 27,
  BR: 29,
  BY: 28,
  CH: 21,
  CR: 22,
  CY: 28,
  CZ: 24,
  DE: 22,
  DJ: 27,
  DK: 18,
  DO: 28,
  EE: 20,
  EG: 29,
  ES: 24,
  FI: 18,
  FK: 18,
  FO: 18,
  FR: 27,
  GB: 22,
  GE: 22,
  GI: 23,
  GL: 18,
  GR: 27,
  GT: 28,
  HN: 28,
  HR: 21,
  HU: 28,
  IE: 22,
  IL: 23,
  IQ: 23,
  IS: 26,
  IT: 27,
  JO: 30,
  KW: 30,
  KZ: 20,
  LB: 28,
  LC: 32,
  LI: 21,
  LT: 20,
  LU: 20,
  LV: 21,
  LY: 25,
  MC: 27,
  MD: 24,
  ME: 22,
  MK: 19,
  MN: 20,
  MR: 27,
  MT: 31,
  MU: 30,
  NI: 28,
  NL: 18,
  NO: 15,
  OM: 23,
  PK: 24,
  PL: 28,
  PS: 29,
  PT: 25,
  QA: 29,
  RO: 24,
  RS: 22,
  RU: 33,
  SA: 24,
  SC: 31,
  SD: 18,
  SE: 24,
  SI: 19,
  SK: 24,
  SM: 27,
  SO: 23,
  ST: 25,
  SV: 28,
  TL: 23,
  TN: 24,
  TR: 26,
  UA: 29,
  VA: 22,
  VG: 24,
  XK: 20,
  YE: 30,
}

const BEGINNING = /(?<![0-9A-Za-z])[A-Za-z]{2}\d{2}/g

export const iban: Detector<'iban'> = {
  name: 'iban',
  *find(text) {
    for (const match of matchesOf(text, BEGINNING)) {
      const length = LENGTHS[match[0].slice(0, 2).toUpperCase()]
      if (length === undefined) continue
      const end = endOfAccount(text, match.index, length)
      if (end === undefined) continue
      const account = text
        .slice(match.index, end)
        .replace(/[^0-9A-Za-z]/g, '')
        .toUpperCase()
      if (remainder(numbered(account.slice(4) + account.slice(0, 4)), 97) === 1)
        yield { start: match.index, end, normalized: account }
    }
  },
}

/** Where so many letters and digits end, with single spaces or dashes between them; undefined if they do not. */
function endOfAccount(text: string, start: number, length: number): number | undefined {
  let index = start
  for (let count = 0; count < length; index += 1) {
    if (isAlphanumeric(text.charCodeAt(index))) count += 1
    else if (!/[ \u00a0\u202f-]/.test(text.charAt(index)) || !isAlphanumeric(text.charCodeAt(index - 1)))
      return undefined
  }
  return isAlphanumeric(text.charCodeAt(index)) ? undefined : index
}

/** A is 10, Z is 35. */
function numbered(account: string): string {
  return account.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
}

function isAlphanumeric(unit: number): boolean {
  return (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122)
}
