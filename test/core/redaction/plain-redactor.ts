import { createHmac } from 'node:crypto'
import { createRedactor, type Redactor } from '../../../src/core/redaction/create-redactor.ts'
import type { Detector } from '../../../src/core/redaction/detector.ts'

/** A redactor with a fixed secret. */
export function testRedactor(detectors?: readonly Detector[]): Redactor {
  const digest = (text: string): string => createHmac('sha256', 'a secret').update(text).digest('hex')
  return createRedactor({ digest, ...(detectors === undefined ? {} : { detectors }) })
}

const redactor = testRedactor()

/** The text with its placeholders reduced to their kinds: `[card]`. */
export function kindsIn(text: string): string {
  return withoutDigests(redactor.redactText(text))
}

export function withoutDigests(text: string): string {
  return text.replace(/\[([a-z][a-z-]*):[0-9a-f]{8}\]/g, '[$1]')
}
