/**
 * National ids of America and Asia.
 */
import { passesVerhoeff, weigh } from '../checksums.ts'
import { isDate } from './is-date.ts'
import type { NationalForm } from './national-form.ts'

/** Neither area, group nor serial is ever zero; areas 666 and 9.. are not given. */
function isSsn(id: string): boolean {
  return !/^(?:000|666|9)|^...00|0000$/.test(id)
}

const unitedStates: readonly NationalForm[] = [
  { country: 'us', pattern: /(?<![\w.-])\d{3}-\d{2}-\d{4}(?![\w]|[.-]\d)/g, isValid: isSsn },
  {
    country: 'us',
    pattern: /(?<![\w.-])\d{3}([ .-]?)\d{2}\1\d{4}(?![\w]|[.-]\d)/g,
    isValid: isSsn,
    context: /(?<![a-z])(?:ssn|social.?security|tax.?id|tin)(?![a-z])/i,
  },
]

function isCpf(id: string): boolean {
  if (/^(\d)\1*$/.test(id)) return false
  return [9, 10].every((length) => {
    const weights = Array.from({ length }, (_, index) => length + 1 - index)
    return ((weigh(id, weights) * 10) % 11) % 10 === Number(id[length])
  })
}

const brazil: readonly NationalForm[] = [
  { country: 'br', pattern: /(?<![\w.-])\d{3}\.\d{3}\.\d{3}-\d{2}(?![\w]|[.-]\d)/g, isValid: isCpf },
  {
    country: 'br',
    pattern: /(?<![\w.-])\d{3}[. ]?\d{3}[. ]?\d{3}[- ]?\d{2}(?![\w]|[.-]\d)/g,
    isValid: isCpf,
    context: /(?<![a-z])(?:cpf|cadastro|contribuinte)/i,
  },
]

/** Place, date of birth, order, check sign (GB 11643, MOD 11-2). */
const china: NationalForm = {
  country: 'cn',
  pattern:
    /(?<![\w.-])[1-8]\d{5}(?:18|19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx](?![\w]|[.-]\d)/g,
  isValid: (id) =>
    isDate(Number(id.slice(10, 12)), Number(id.slice(12, 14))) &&
    '10X98765432'[weigh(id, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]) % 11] === id.at(-1),
}

const india: readonly NationalForm[] = [
  {
    country: 'in',
    pattern: /(?<![\w.-])(?<!\d )[2-9]\d{3}([ -])\d{4}\1\d{4}(?![ -]?\d|\w|\.\d)/g,
    isValid: passesVerhoeff,
  },
  {
    country: 'in',
    pattern: /(?<![\w.-])[2-9]\d{3}[ -]?\d{4}[ -]?\d{4}(?![\w]|[.-]\d)/g,
    isValid: passesVerhoeff,
    context: /(?<![a-z])(?:aadhaar|aadhar|uidai|uid)(?![a-z])|आधार/i,
  },
]

export const ELSEWHERE: readonly NationalForm[] = [...unitedStates, ...brazil, china, ...india]
