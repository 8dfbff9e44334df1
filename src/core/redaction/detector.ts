/**
 * What finds sensitive text, and what it found.
 */

/** The detectors that are there by default, by the kind of text that each finds. */
export const DETECTOR_NAMES = [
  'private-key',
  'api-key',
  'card',
  'iban',
  'national-id',
  'email',
  'phone',
] as const

export type DetectorName = (typeof DETECTOR_NAMES)[number]

/** A stretch of text, by UTF-16 index. */
export interface Span {
  readonly start: number
  /** Exclusive. */
  readonly end: number
  /** What it stands for, however it is written: a card's digits without dashes. Default: the text itself. */
  readonly normalized?: string
}

/**
 * Finds one kind of sensitive text.
 *
 * `find` is pure and takes time linear in the text, whatever the text. Its spans may be in any order.
 */
export interface Detector<Name extends string = string> {
  /** Stands in the placeholder: 1 to 32 of `a-z 0-9 -`, a letter first. */
  readonly name: Name
  find(text: string): Iterable<Span>
}
