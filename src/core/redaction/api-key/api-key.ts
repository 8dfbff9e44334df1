/**
 * Keys, tokens and passwords: those with a published form, and what is assigned to a name that says so.
 */

import type { Detector, Span } from '../detector.ts'
import { matchesOf } from '../matches-of.ts'
import { entropyOf, isSecretValue, type NameKind } from './is-secret-value.ts'
import { AWS_KEY_ID, AWS_SECRET, readsLikeWords, TOKEN } from './token-forms.ts'

export const apiKey: Detector<'api-key'> = {
  name: 'api-key',
  *find(text) {
    yield* findTokens(text)
    yield* findPairs(text)
    yield* findCredentials(text)
    yield* findAssigned(text)
  },
}

function* findTokens(text: string): Generator<Span> {
  for (const match of matchesOf(text, TOKEN)) {
    if (!readsLikeWords(match[0])) yield { start: match.index, end: match.index + match[0].length }
  }
}

/** How far from its key id the secret of a pair may stand. */
const PAIR_REACH = 200

function* findPairs(text: string): Generator<Span> {
  for (const id of matchesOf(text, AWS_KEY_ID)) {
    const from = Math.max(0, id.index - PAIR_REACH)
    const around = text.slice(from, id.index + id[0].length + PAIR_REACH)
    for (const match of matchesOf(around, AWS_SECRET)) {
      const isMixed = /[A-Z]/.test(match[0]) && /[a-z]/.test(match[0]) && /\d/.test(match[0])
      if (isMixed) yield { start: from + match.index, end: from + match.index + match[0].length }
    }
  }
}

/** The password within an address, and what follows the scheme of an Authorization header. */
const IN_ADDRESS = /:\/\/[^\s/:@?#"'<>]{0,100}:([^\s/@"'<>]{1,256})@/dg
const SCHEME = /(?<![A-Za-z0-9])(?:Bearer|Basic|Token|ApiKey)[ \t]{1,4}([A-Za-z0-9._~+/=-]{16,})/dgi
const COOKIE =
  /(?<![A-Za-z0-9])(?:Set-)?Cookie["']?[ \t]{0,3}:[ \t]{0,3}["']?[\w.-]{1,64}=([^\s;"',]{16,})/dgi

function* findCredentials(text: string): Generator<Span> {
  for (const match of matchesOf(text, IN_ADDRESS)) {
    const span = spanOf(match)
    if (
      span !== undefined &&
      isSecretValue({ kind: 'password', value: partOf(text, span), isQuoted: true, next: '@' })
    )
      yield span
  }
  for (const pattern of [SCHEME, COOKIE]) {
    for (const match of matchesOf(text, pattern)) {
      const span = spanOf(match)
      const value = span === undefined ? '' : partOf(text, span)
      if (span !== undefined && /\d/.test(value) && entropyOf(value) >= 2.5) yield span
    }
  }
}

const NAMES: readonly (readonly [NameKind, string])[] = [
  ['password', 'passw(?:or)?d|passphrase|passwort|contraseña|pwd'],
  [
    'secret',
    'secret|token|credentials?|api[ _-]?key|access[ _-]?key|private[ _-]?key|account[ _-]?key|signing[ _-]?key|encryption[ _-]?key|shared[ _-]?key|auth(?:orization)?|session[ _-]?id|sid|bearer|signature|sig',
  ],
  ['key', 'key'],
]

/** A name that ends in one of these words, an assignment, and what is assigned. */
const ASSIGNMENTS = NAMES.map(
  ([kind, words]) =>
    [
      kind,
      new RegExp(
        `(?:${words})[\\w-]{0,16}\\\\?["'\`\\]]{0,2}[ \\t]{0,3}(?:=>|:=|==?|:|%3D|,(?=[ \\t]?["']))[ \\t]{0,3}(?:\\\\?(["'\`])(?!\\1)([^"'\`\\s\\\\]{4,512})|([^\\s"'\`,;&|<>{}()[\\]\\\\]{4,512}))`,
        'dgi',
      ),
    ] as const,
)

function* findAssigned(text: string): Generator<Span> {
  for (const [kind, pattern] of ASSIGNMENTS) {
    for (const match of matchesOf(text, pattern)) {
      const quoted = match.indices?.[2]
      const bounds = quoted ?? match.indices?.[3]
      if (bounds === undefined) continue
      const span = { start: bounds[0], end: bounds[1] }
      const assigned = {
        kind,
        value: partOf(text, span),
        isQuoted: quoted !== undefined,
        next: text.charAt(span.end),
      }
      if (isSecretValue(assigned)) yield span
    }
  }
}

function spanOf(match: RegExpExecArray): Span | undefined {
  const bounds = match.indices?.[1]
  return bounds === undefined ? undefined : { start: bounds[0], end: bounds[1] }
}

function partOf(text: string, span: Span): string {
  return text.slice(span.start, span.end)
}
