import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Redact, RedactionError, RedactWindows } from '../../src/core/redact-windows.ts'
import { testRedactor } from './redaction/plain-redactor.ts'

const hideSecrets: Redact = (text) => text.replaceAll(/SECRET-\d{6}|BEGIN[^!]+?END/g, '[hidden]')

function through(redact: Redact, text: string, piece = 50_000): string {
  const windows = new RedactWindows(redact)
  let redacted = ''
  for (let at = 0; at < text.length; at += piece) redacted += windows.write(text.slice(at, at + piece))
  return redacted + windows.end()
}

describe('RedactWindows', () => {
  it.each([
    ['lines', '\n'],
    ['words of one line', ' '],
    ['one word', ''],
  ])('splits no secret in a long text of %s', (_, between) => {
    const text = Array.from({ length: 40_000 }, (__, index) => `${index} SECRET-123456`).join(between)
    expect(through(hideSecrets, text)).toBe(hideSecrets(text))
  })

  it('splits no secret of many lines', () => {
    const filler = 'nothing to hide\n'.repeat(50)
    const text = `BEGIN\n${'0123456789\n'.repeat(300)}END\n${filler}`.repeat(200)
    expect(through(hideSecrets, text)).toBe(`[hidden]\n${filler}`.repeat(200))
  })

  it.each([
    ['lines', '\n'],
    ['escaped lines', '\\n'],
  ])('splits no private key of many %s, wherever it stands', (_, lineEnd) => {
    const line = `MIIkQgIBADANBgkqhkiG9w0BAQEFAASCJCwwgiQoAgEAAoIIAQC7VJTUt9Us8cKj${lineEnd}`
    const key = `-----BEGIN RSA PRIVATE KEY-----${lineEnd}${line.repeat(190)}-----END RSA PRIVATE KEY-----`
    const text = `${key}\nnothing to hide\n${'words and '.repeat(777)}\n`.repeat(40)
    const { redactText } = testRedactor()
    expect(through(redactText, text)).toBe(redactText(text))
  })

  it('gives the same however the text is cut into pieces', () => {
    const text = 'some words and SECRET-123456 in lines\n'.repeat(12_000)
    fc.assert(
      fc.property(fc.integer({ min: 10_000, max: 300_000 }), (piece) => {
        expect(through(hideSecrets, text, piece)).toBe(hideSecrets(text))
      }),
      { numRuns: 10 },
    )
  })

  it('loses nothing of a text that no border suits', () => {
    const everything: Redact = (text) => (text === '' ? '' : `<${text.length}>`)
    expect(through(everything, 'x'.repeat(300_000))).toBe('<98304><98304><103392>')
  })

  it('fails with an error of its own when the redaction does', () => {
    const broken: Redact = () => {
      throw new Error('card 4111…')
    }
    expect(() => through(broken, 'x')).toThrow(RedactionError)
    expect(() => through(broken, 'x')).toThrow('A result could not be redacted')
  })
})
