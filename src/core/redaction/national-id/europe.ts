/**
 * National ids of European countries.
 */
import { passesLuhn, passesMod11And10, remainder, weigh } from '../checksums.ts'
import { isDate } from './is-date.ts'
import type { NationalForm } from './national-form.ts'

const GERMAN = /(?<![a-z])(?:steuer|idnr|tin|tax)/i

/** Of the first ten digits one comes twice or three times, others at most once. */
function isGermanTaxId(id: string): boolean {
  const counts = new Map<string, number>()
  for (const digit of id.slice(0, 10)) counts.set(digit, (counts.get(digit) ?? 0) + 1)
  const repeated = [...counts.values()].filter((count) => count > 1)
  return repeated.length === 1 && (repeated[0] ?? 0) <= 3 && passesMod11And10(id)
}

const germany: readonly NationalForm[] = [
  {
    country: 'de',
    pattern: /(?<![\w.-])[1-9]\d ?\/?\d{3} ?\/?\d{3} ?\/?\d{3}(?![\w]|[.-]\d)/g,
    isValid: isGermanTaxId,
    context: GERMAN,
  },
  {
    country: 'de',
    pattern: /(?<![\w.-])(?<!\d )[1-9]\d \d{3} \d{3} \d{3}(?! ?\d|\w|[.-]\d)/g,
    isValid: isGermanTaxId,
  },
]

/** Sex, year, month (also the fictive ones), department, place, order, key. */
const france: NationalForm = {
  country: 'fr',
  pattern:
    /(?<![\w.-])[1278] ?\d{2} ?(?:0[1-9]|1[0-2]|[2-9]\d) ?(?:\d{2}|2[ABab]) ?\d{3} ?\d{3} ?\d{2}(?![\w]|[.-]\d)/g,
  isValid: (id) => {
    const number = id.slice(0, 13).replace('2A', '19').replace('2B', '18')
    return 97 - remainder(number, 97) === Number(id.slice(13))
  },
}

const SPANISH_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE'

const spain: NationalForm = {
  country: 'es',
  pattern: /(?<![\w.-])(?:\d{2}\.?\d{3}\.?\d{3}|[XYZ]-?\d{7})-?[A-HJ-NP-TV-Z](?!\w)/g,
  isValid: (id) => {
    const number = id.slice(0, -1).replace(/^[XYZ]/, (letter) => String('XYZ'.indexOf(letter)))
    return SPANISH_LETTERS[Number(number) % 23] === id.at(-1)
  },
}

const ITALIAN_ODD = [
  1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
]

/** Digits stand for themselves, letters for their place in the alphabet; digits may be replaced by letters (omocodia). */
const italy: NationalForm = {
  country: 'it',
  pattern:
    /(?<!\w)[A-Za-z]{3} ?[A-Za-z]{3} ?[0-9LMNPQRSTUVlmnpqrstuv]{2}[A-EHLMPRSTa-ehlmprst][0-9LMNPQRSTUVlmnpqrstuv]{2} ?[A-Za-z][0-9LMNPQRSTUVlmnpqrstuv]{3}[A-Za-z](?!\w)/g,
  isValid: (id) => {
    const values = [...id.slice(0, 15)].map((sign) =>
      /\d/.test(sign) ? Number(sign) : sign.charCodeAt(0) - 65,
    )
    const sum = values.reduce(
      (total, value, index) => total + (index % 2 === 0 ? (ITALIAN_ODD[value] ?? 0) : value),
      0,
    )
    return String.fromCharCode(65 + (sum % 26)) === id.at(-1)
  },
}

const BRITISH_WORDS = /(?<![a-z])(?:nino|national.?insurance|ni.?(?:no|number))(?![a-z])/i
const isNino = (id: string): boolean => !/^(?:BG|GB|KN|NK|NT|TN|ZZ)/.test(id)

/** It has no check digit: with spaces between its pairs, or in one piece next to its name. */
const unitedKingdom: readonly NationalForm[] = [
  {
    country: 'gb',
    pattern: /(?<!\w)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]([ -])\d{2}\1\d{2}\1\d{2}\1[A-D](?!\w)/g,
    isValid: isNino,
  },
  {
    country: 'gb',
    pattern: /(?<!\w)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6} ?[A-D](?!\w)/gi,
    isValid: isNino,
    context: BRITISH_WORDS,
  },
  {
    country: 'gb',
    pattern: /(?<!\w)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D](?!\w)/g,
    isValid: isNino,
  },
]

const netherlands: NationalForm = {
  country: 'nl',
  pattern:
    /(?<![\w.-])\d{4}[. ]?\d{2}[. ]?\d{3}(?![\w]|[.-]\d)|(?<![\w.-])\d{3}[. ]\d{3}[. ]\d{3}(?![\w]|[.-]\d)/g,
  isValid: (id) => Number(id) > 0 && weigh(id, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0,
  context: /(?<![a-z])(?:bsn|burgerservice|sofi)/i,
}

/** The month says the century: 81 to 92 for 18.., 21 to 32 for 20.., and so on. */
const poland: NationalForm = {
  country: 'pl',
  pattern: /(?<![\w.-])\d{11}(?![\w]|[.-]\d)/g,
  isValid: (id) =>
    isDate(Number(id.slice(2, 4)) % 20, Number(id.slice(4, 6))) &&
    weigh(id, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0,
  context: /(?<![a-z])pesel/i,
}

/** A day above 60 is a coordination number's. */
const isPersonnummer = (id: string): boolean => {
  const short = id.slice(-10)
  return isDate(Number(short.slice(2, 4)), Number(short.slice(4, 6)) % 60) && passesLuhn(short)
}

const sweden: readonly NationalForm[] = [
  { country: 'se', pattern: /(?<![\w.-])(?:19|20)?\d{6}[-+]\d{4}(?![\w]|[.-]\d)/g, isValid: isPersonnummer },
  {
    country: 'se',
    pattern: /(?<![\w.-])(?:(?:19|20)\d{10}|\d{10})(?![\w]|[.-]\d)/g,
    isValid: isPersonnummer,
    context: /(?<![a-z])(?:person(?:nummer|nr)|samordnings|pnr|swedish)/i,
  },
]

export const EUROPE: readonly NationalForm[] = [
  ...germany,
  france,
  spain,
  italy,
  ...unitedKingdom,
  netherlands,
  poland,
  ...sweden,
]
