/**
 * Replaces sensitive text by placeholders.
 *
 * Invariants: redacting twice changes nothing; what is the same thing has the same placeholder wherever it stands
 * and however it is written, with one `digest`; nothing that a detector finds is left, not even in part.
 */
import type { Detector } from './detector.ts'
import { DEFAULT_DETECTORS } from './detectors.ts'
import { findSpans } from './find-spans.ts'
import { placeholderOf } from './placeholder.ts'
import { redactEscaped } from './redact-escaped.ts'
import { redactValue } from './redact-value.ts'
import { createRedactionWindow, type RedactionWindow, type RedactPart } from './redaction-window.ts'

export interface RedactorOptions {
  /** A keyed digest, lower-case hexadecimal: HMAC-SHA-256 with a secret of the Session, say. */
  readonly digest: (text: string) => string
  /** The more severe first. Default: {@link DEFAULT_DETECTORS}. */
  readonly detectors?: readonly Detector[]
}

/** Its functions fail only when a detector or the digest does. */
export interface Redactor {
  redactText(text: string): string
  /**
   * The value with its texts redacted, names of properties too, and shaped so that it renders like the original.
   * The name of a property counts as context of its text. The original is left as it is.
   */
  redactValue(value: unknown): unknown
  /** For a text that arrives in pieces. */
  openWindow(): RedactionWindow
}

export function createRedactor({ digest, detectors = DEFAULT_DETECTORS }: RedactorOptions): Redactor {
  const redactPart = partRedactor({ digest, detectors })
  const redactNamed = (text: string, name?: string): string => redactWithin(text, name, redactPart)
  return {
    redactText: (text) => redactNamed(text),
    redactValue: (value) => redactValue(value, redactNamed),
    openWindow: () =>
      createRedactionWindow({
        redactPart,
        findSpans: (text) => findSpans(text, detectors),
        redactEscaped: (text) => redactEscaped(text, (inner) => redactNamed(inner)),
      }),
  }
}

/** Redacts a text as if it stood behind a name: `password="TEXT`. */
function redactWithin(text: string, name: string | undefined, redactPart: RedactPart): string {
  const prefix = name === undefined ? '' : `${name.slice(-64)}="`
  const plain = redactEscaped(text, (inner) => redactWithin(inner, name, redactPart))
  return redactPart(prefix + plain, prefix.length, prefix.length + plain.length)
}

/** One replacement may bring together what is the next one's; each leaves less that could be replaced. */
const MOST_ROUNDS = 4

function partRedactor({ digest, detectors }: Required<RedactorOptions>): RedactPart {
  return (text, from, to) => {
    let [before, part, after] = [text.slice(0, from), text.slice(from, to), text.slice(to)]
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const offset = before.length
      const spans = findSpans(before + part + after, detectors).filter(
        ({ start, end }) => end > offset && start < offset + part.length,
      )
      if (spans.length === 0) break
      let redacted = ''
      let at = 0
      for (const { start, end, detector, normalized } of spans) {
        redacted += part.slice(at, Math.max(at, start - offset)) + placeholderOf(detector, normalized, digest)
        at = end - offset
      }
      const rest = part.slice(Math.min(at, part.length))
      if (at > part.length) after = after.slice(at - part.length)
      part = redacted + rest
    }
    return part
  }
}
