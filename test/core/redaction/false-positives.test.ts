import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_DETECTORS } from '../../../src/core/redaction/detectors.ts'
import { findSpans } from '../../../src/core/redaction/find-spans.ts'

/** What is found in a text, with the kind that it is taken for. */
function found(text: string): readonly string[] {
  return findSpans(text, DEFAULT_DETECTORS).map(
    ({ detector, start, end }) => `${detector} ${text.slice(start, end)}`,
  )
}

/** Files that Git knows in these places, in order. */
function filesIn(...places: readonly string[]): readonly string[] {
  return execFileSync('git', ['ls-files', ...places], { encoding: 'utf8' })
    .trim()
    .split('\n')
}

function digestsOf(algorithm: string, encoding: 'hex' | 'base64' | 'base64url'): readonly string[] {
  return Array.from({ length: 2_000 }, (_, index) =>
    createHash(algorithm).update(`seed ${index}`).digest(encoding),
  )
}

describe('ordinary text', () => {
  it.each(['src', 'docs', 'scripts', 'bench', ':(glob)*', 'test/core', 'test/model'])(
    'of this repository is left alone: %s',
    (place) => {
      const files = filesIn(place).filter((file) => !file.includes('redaction'))
      expect(files.length).toBeGreaterThan(0)
      expect(
        files.flatMap((file) => found(readFileSync(file, 'utf8')).map((what) => `${file} ${what}`)),
      ).toEqual([])
    },
  )

  it.each([
    ['sha1', 'hex'],
    ['sha256', 'hex'],
    ['md5', 'hex'],
    ['sha512', 'base64'],
    ['sha256', 'base64url'],
  ] as const)('is what digests are: %s in %s', (algorithm, encoding) => {
    const digests = digestsOf(algorithm, encoding)
    expect(found(digests.join('\n'))).toEqual([])
    expect(found(digests.map((digest) => `"integrity": "${algorithm}-${digest}",`).join('\n'))).toEqual([])
    expect(found(digests.map((digest) => `commit ${digest.slice(0, 9)} at ${digest}`).join('\n'))).toEqual([])
  })

  it('is what hexadecimal digests are behind the word "key"', () => {
    expect(
      found(
        digestsOf('sha256', 'hex')
          .map((digest) => `key: ${digest}`)
          .join('\n'),
      ),
    ).toEqual([])
  })

  it('is what UUIDs and ids of many kinds are', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.ulid(), fc.nat(), (uuid, ulid, number) => {
        expect(found(`${uuid} ${ulid} id=${uuid} "key":"${uuid}" c${number}_1_0 #${number}`)).toEqual([])
      }),
      { numRuns: 2_000, seed: 4 },
    )
  })

  it('is what logs, tables and listings say', () => {
    const at = (index: number): Date => new Date(Date.UTC(2024, 0, 1) + index * 37_777_777)
    const lines = Array.from({ length: 2_000 }, (_, index) => [
      `${at(index).toISOString()} INFO request ${index} took ${index * 17} ms from 10.1.${index % 256}.7:${40_000 + index}`,
      `[${at(index).toUTCString()}] GET /items/${index * 7_919}?page=${index} HTTP/1.1 200 ${index * 31}`,
      `-rw-r--r-- 1 root root ${index * 104_729} ${at(index).toISOString().slice(0, 16)} file-${index}.txt`,
      `${at(index).getTime()} ${at(index).getTime() * 1_000} ${index / 7} ${index * 1.000_1}`,
      `order ${1_000_000_000 + index * 7_907} invoice 2024-${String(index).padStart(6, '0')} total ${index}.99 EUR`,
      `node v20.${index % 40}.${index % 7} libfoo-${index % 9}.${index % 11}.${index % 13}-${index} 0x${(index * 65_537).toString(16)}`,
      `src/a.ts(${index},${index % 80}): error TS${2_000 + index}: line ${index}`,
    ]).flat()
    expect(found(lines.join('\n'))).toEqual([])
  })
})
