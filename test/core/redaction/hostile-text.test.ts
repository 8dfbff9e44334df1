import { describe, expect, it } from 'vitest'
import { testRedactor } from './plain-redactor.ts'

const MEGABYTE = 1_000_000

/** Pieces that each pattern begins with, that keep it going, or that nearly end it. */
const PIECES: readonly string[] = [
  ...[
    'a',
    '1',
    '@',
    'a@',
    'a@b.',
    '.',
    '-',
    ' ',
    '1 ',
    '1-',
    '4111 ',
    '4111-',
    '0',
    '01 ',
    '+1',
    '+1 (',
    '(0',
  ],
  ...[
    'DE89',
    'DE89 ',
    'A1',
    'aA',
    '"',
    '\\',
    '\\"',
    '"\\',
    '{"a":',
    '[',
    '[card:',
    '[card:12345678]',
    '://',
    '://a:',
    ':@',
  ],
  ...[
    'password',
    'password=',
    'password:',
    'token',
    'key',
    'key=',
    'secret"',
    'Bearer ',
    'Cookie: a=',
    'sk-',
    'eyJhbGci',
  ],
  ...[
    'eyJhbGciaaaaaaaa.',
    'SG.',
    'AKIAAAAAAAAAAAAAAAAA',
    '-----BEGIN PRIVATE KEY-----',
    '-----BEGIN ',
    '-----',
  ],
  ...[
    '-----BEGIN PRIVATE KEY-----\naaaaaaaaaaaaaaaa\n',
    'LS0tLS1CRUdJTi',
    'Private-Lines: 1',
    '\n',
    '> ',
    'A-',
    '12345678A',
  ],
  ...[
    'aaaaaaaa-aaaa-aaaa-aaaa-',
    'ü',
    '😀',
    'x.x@x.x ',
    '1.1.1.1',
    '2024-01-01 ',
    'ssn 1',
    'tel 1 ',
    '\u00a0',
    '=',
    '%3D',
  ],
]

describe('a text of a megabyte', () => {
  it.each(PIECES)('is redacted in bounded time, made of %j', { timeout: 30_000 }, (piece) => {
    const redactor = testRedactor()
    const small = piece.repeat(Math.ceil(MEGABYTE / piece.length))
    const window = redactor.openWindow()
    expect(typeof redactor.redactText(small)).toBe('string')
    expect(typeof (window.push(small) + window.end())).toBe('string')
  })
})
