import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRedactor } from '../../../src/core/redaction/create-redactor.ts'
import type { Detector } from '../../../src/core/redaction/detector.ts'
import { DEFAULT_DETECTORS } from '../../../src/core/redaction/detectors.ts'
import { renderResult } from '../../../src/core/render-result.ts'
import { kindsIn, testRedactor, withoutDigests } from './plain-redactor.ts'

const redactor = testRedactor()

describe('redactText', () => {
  it('tells two cards apart, and knows one again however it is written', () => {
    const text = redactor.redactText(
      '4111111111111111, 4111-1111-1111-1111, 4111 1111 1111 1111; 5555555555554444',
    )
    const [first, second, third, other] = [...text.matchAll(/\[card:[0-9a-f]{8}\]/g)].map(([found]) => found)
    expect([second, third]).toEqual([first, first])
    expect(other).not.toBe(first)
    expect(text).toBe(`${first}, ${first}, ${first}; ${other}`)
  })

  it('has other placeholders with another secret', () => {
    const other = createRedactor({ digest: () => '0123456789abcdef' })
    expect(other.redactText('team@example.org')).toBe('[email:01234567]')
    expect(redactor.redactText('team@example.org')).not.toBe('[email:01234567]')
  })

  it('knows accounts, addresses and numbers again however they are written', () => {
    for (const [one, other] of [
      ['DE89 3704 0044 0532 0130 00', 'de89370400440532013000'],
      ['Team@Example.org', 'team@example.org'],
      ['+49 (0)30 1234567', '0049 30/123 45 67'],
      ['536-90-4399', 'SSN 536904399'],
    ] as const) {
      expect(redactor.redactText(other)).toContain(redactor.redactText(one))
    }
  })

  it('gives what overlaps to the longest, and leaves nothing of it', () => {
    expect(kindsIn('password=4111111111111111')).toBe('password=[api-key]')
    expect(kindsIn('https://ada:hunter2@example.org/')).toMatch(/^https:\/\/(?:ada:)?\[(?:email|api-key)\]@?/)
    expect(kindsIn('https://ada:hunter2@example.org/')).not.toContain('hunter2')
    const detectors: readonly Detector[] = [
      { name: 'early', find: () => [{ start: 2, end: 5 }] },
      { name: 'late', find: () => [{ start: 4, end: 8 }] },
      { name: 'tied', find: () => [{ start: 4, end: 8 }] },
    ]
    expect(withoutDigests(testRedactor(detectors).redactText('0123456789'))).toMatch(/^01\[late\]/)
  })

  it('finds what is written in escaped JSON, and leaves everything else as it was', () => {
    const inner = JSON.stringify({ note: 'line\n415-555-0132', 'a@example.org': 1 })
    const text = `{ "id": 12345678901234567890,  "data": ${JSON.stringify(inner)} }`
    expect(withoutDigests(redactor.redactText(text))).toBe(
      `{ "id": 12345678901234567890,  "data": ${JSON.stringify('{"note":"line\\n[phone]","[email]":1}')} }`,
    )
  })

  it('leaves placeholders alone, also where a name tells of a secret', () => {
    const once = redactor.redactText('password=hunter2; ssn: 536904399; mail team@example.org')
    expect(redactor.redactText(once)).toBe(once)
    expect(redactor.redactText('password=[card:12345678]')).toBe('password=[card:12345678]')
  })

  it('changes nothing the second time', () => {
    const piece = fc.constantFrom(
      ...['4111111111111111', '4111 1111 1111 1111', 'team@example.org', '415-555-0132', '+49 30 1234567'],
      ...[
        'DE89370400440532013000',
        'password=',
        'token: ',
        'hunter2',
        'aB3dE5gH7jK9mN1pQ3s',
        '"',
        "'",
        '\\n',
      ],
      ...[
        '536-90-4399',
        '86095742719',
        'ssn ',
        '\n',
        ' ',
        '-',
        '.',
        ':',
        '[',
        ']',
        '[card:12345678]',
        '0',
        '12',
      ],
      ...[
        '-----BEGIN PRIVATE KEY-----',
        'MIIEvQIBADANBgkqhkiG9w0BAQ',
        '-----END PRIVATE KEY-----',
        '@',
        '://',
      ],
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const once = redactor.redactText(pieces.join(''))
        expect(redactor.redactText(once)).toBe(once)
      }),
      { numRuns: 2_000 },
    )
  })

  it('fails when a detector does, or answers with what is no span', () => {
    const broken: Detector = {
      name: 'broken',
      find: () => {
        throw new Error('no')
      },
    }
    expect(() => testRedactor([broken]).redactText('a')).toThrow('no')
    expect(() => testRedactor([broken]).redactValue({ a: ['b'] })).toThrow('A detector failed.')
    const wild: Detector = { name: 'wild', find: () => [{ start: 0, end: 9 }] }
    expect(() => testRedactor([wild]).redactText('a')).toThrow('no span')
  })

  it('lets everything pass without detectors', () => {
    expect(testRedactor([]).redactText('4111111111111111')).toBe('4111111111111111')
  })
})

const CYCLE: Record<string, unknown> = { mail: 'team@example.org' }
CYCLE['self'] = CYCLE

function rendered(value: unknown): string {
  const result = renderResult(redactor.redactValue(value))
  return withoutDigests(result.kind === 'text' ? result.text : `UNSERIALIZABLE ${result.problem}`)
}

describe('redactValue', () => {
  it.each([
    [
      'texts',
      { to: ['team@example.org', { card: '4111111111111111' }] },
      '{"to":["[email]",{"card":"[card]"}]}',
    ],
    ['numbers', { card: 4111111111111111, n: 17 }, '{"card":"[card]","n":17}'],
    ['big integers', { card: 4111111111111111n }, '{"card":"[card]"}'],
    ['keys', { 'team@example.org': true }, '{"[email]":true}'],
    ['maps', new Map([['team@example.org', '4111111111111111']]), '{"[email]":"[card]"}'],
    ['maps with other keys', new Map([[4111111111111111, 'x']]), '{"[card]":"x"}'],
    ['sets', new Set(['team@example.org']), '["[email]"]'],
    ['dates', { at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}'],
    ['a date alone', new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ['addresses', { url: new URL('https://a:hunter2@example.org/') }, /^\{"url":"https:\/\/[^h]*\[.+"\}$/],
    ['errors', new Error('no team@example.org'), '{"name":"Error","message":"no [email]"}'],
    ['what gives its own JSON', { toJSON: () => ({ mail: 'team@example.org' }) }, '{"mail":"[email]"}'],
    ['boxed texts', [Object('team@example.org')], '["[email]"]'],
    ['JSON in texts', { body: '{"a":"x\\nada@example.org"}' }, '{"body":"{\\"a\\":\\"x\\\\n[email]\\"}"}'],
    [
      'what is under a telling name',
      { password: 'letmein', ssn: '536904399' },
      '{"password":"[api-key]","ssn":"[national-id]"}',
    ],
    [
      'numbers under a telling name',
      { userSsn: 536904399, phone: 4155550132 },
      '{"userSsn":"[national-id]","phone":"[phone]"}',
    ],
    ['texts split by control characters', '4111\x1b[0m111111111111', '[card]'],
    ['a text alone', 'team@example.org', '[email]'],
    ['__proto__', JSON.parse('{"__proto__":"team@example.org"}'), '{"__proto__":"[email]"}'],
  ])('walks %s', (...[, value, text]) => {
    if (typeof text === 'string') expect(rendered(value)).toBe(text)
    else expect(rendered(value)).toMatch(text)
  })

  it('leaves the original as it is', () => {
    const original = { mail: 'team@example.org', list: ['4111111111111111'] }
    redactor.redactValue(original)
    expect(original).toEqual({ mail: 'team@example.org', list: ['4111111111111111'] })
  })

  it('keeps cycles, with everything in them redacted', () => {
    const copy = redactor.redactValue(CYCLE) as { mail: string; self: unknown }
    expect(copy.self).toBe(copy)
    expect(withoutDigests(copy.mail)).toBe('[email]')
    expect(rendered(CYCLE)).toMatch(/^UNSERIALIZABLE The tool ran/)
  })

  it.each([
    undefined,
    null,
    true,
    0,
    Number.NaN,
    '',
    [],
    {},
    new Uint8Array(3),
    { ratio: 1.5 },
    10n,
    Symbol.iterator,
  ])('renders what holds nothing sensitive as it is', (value) => {
    expect(renderResult(redactor.redactValue(value))).toEqual(renderResult(value))
  })

  it('renders what cannot be read as unreadable', () => {
    const broken = {
      get mail(): never {
        throw new Error('not today')
      },
    }
    expect(rendered([broken])).toMatch(/^UNSERIALIZABLE .+not today/)
    expect(rendered({ run: () => 1, at: 1 })).toBe('{"at":1}')
  })

  it('renders any value without detectors as it would be rendered', () => {
    const nothing = testRedactor([])
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true }),
        (value) => {
          expect(renderResult(nothing.redactValue(value))).toEqual(renderResult(value))
        },
      ),
      { numRuns: 500 },
    )
  })
})

/** Lines with every kind of secret between ordinary ones. */
const LINES = [
  'nothing to see here',
  'mail team@example.org and bob@example.org',
  'card 4111 1111 1111 1111 or 5555555555554444',
  'call 415-555-0132 or +49 30 1234567',
  `token=${'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9'}`,
  `Bearer eyJhbGciOiJIUzI1NiJ9.${'eyJzdWIiOiIxIn0'.repeat(400)}.abc`,
  `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n'.repeat(200)}qA==\n-----END PRIVATE KEY-----`,
  'x'.repeat(9_000),
  `${'lorem ipsum '.repeat(900)}team@example.org`,
]

describe('a window', () => {
  it('gives the same text as redacting it whole, however it is cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...LINES), { maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 7_000 }), { minLength: 1, maxLength: 10 }),
        (lines, sizes) => {
          const text = lines.join('\n')
          const window = redactor.openWindow()
          let out = ''
          for (let at = 0, turn = 0; at < text.length; turn += 1) {
            const size = sizes[turn % sizes.length] ?? 1
            out += window.push(text.slice(at, at + size))
            at += size
          }
          expect(out + window.end()).toBe(redactor.redactText(text))
        },
      ),
      { numRuns: 100 },
    )
  })

  it('lets go of long texts as they come, holding little', () => {
    const window = redactor.openWindow()
    const line = 'ordinary text with team@example.org in it\n'
    let let_go = 0
    let most = 0
    for (let pushed = 0; pushed < 1_000_000; ) {
      let_go += window.push(line).length
      pushed += line.length
      most = Math.max(most, pushed - let_go)
    }
    expect(withoutDigests(window.end())).toMatch(/^(?:ordinary text with \[email\] in it\n)+$/)
    expect(most).toBeLessThan(12_000)
  })

  it('redacts a token that is longer than it holds', () => {
    const window = redactor.openWindow()
    const chunk = 'aB3dE5gH'.repeat(8_192)
    let out = window.push(`sk-${chunk}`)
    for (let count = 0; count < 32; count += 1) out += window.push(chunk)
    out += window.push(' end team@example.org')
    expect(withoutDigests(out + window.end())).toBe('[api-key] end [email]')
  })
})

describe('the default detectors', () => {
  it('are named after what they find', () => {
    expect(DEFAULT_DETECTORS.map(({ name }) => name)).toEqual([
      'private-key',
      'api-key',
      'card',
      'iban',
      'national-id',
      'email',
      'phone',
    ])
  })
})
