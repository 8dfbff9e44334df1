/**
 * Check digits of cards, accounts and national ids. Arguments are ASCII digits, unless it says otherwise.
 */

/** ISO/IEC 7812-1: cards, and the Swedish personnummer. */
export function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index])
    const weighed = index % 2 === 1 ? digit * 2 : digit
    sum += weighed > 9 ? weighed - 9 : weighed
  }
  return sum % 10 === 0
}

/** The sum of digits times weights, as far as there are weights. */
export function weigh(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * Number(digits[index]), 0)
}

/** The remainder of a number of any length. */
export function remainder(digits: string, divisor: number): number {
  let rest = 0
  for (const digit of digits) rest = (rest * 10 + Number(digit)) % divisor
  return rest
}

/** ISO/IEC 7064 MOD 11,10: the German tax id. */
export function passesMod11And10(digits: string): boolean {
  let product = 10
  for (const digit of digits.slice(0, -1)) {
    const sum = (Number(digit) + product) % 10 || 10
    product = (sum * 2) % 11
  }
  return (11 - product) % 10 === Number(digits.at(-1))
}

const VERHOEFF_PRODUCT = [
  '0123456789',
  '1234067895',
  '2340178956',
  '3401289567',
  '4012395678',
  '5987604321',
  '6598710432',
  '7659821043',
  '8765932104',
  '9876543210',
] as const

const VERHOEFF_PERMUTATION = [
  '0123456789',
  '1576283094',
  '5803796142',
  '8916043527',
  '9453126870',
  '4286573901',
  '2793806415',
  '7046913258',
] as const

/** Verhoeff's scheme: Aadhaar. */
export function passesVerhoeff(digits: string): boolean {
  let state = 0
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index])
    const permuted = Number(VERHOEFF_PERMUTATION[index % 8]?.[digit])
    state = Number(VERHOEFF_PRODUCT[state]?.[permuted])
  }
  return state === 0
}
