/** How the ids of one country are written, and what makes one valid. */
export interface NationalForm {
  /** The ISO 3166 country, in lower case. */
  readonly country: string
  /** Global; takes bounded time at each place of a text. */
  readonly pattern: RegExp
  /** The id without separators, upper case. */
  isValid(id: string): boolean
  /** Words that must be near, for what is written like any other number. */
  readonly context?: RegExp
}
