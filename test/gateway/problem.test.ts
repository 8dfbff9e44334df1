import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { PROBLEM_CODES, statusOf } from '../../src/gateway/problem.ts'

const DOCUMENT = new URL('../../docs/errors.md', import.meta.url)

describe('the document of error codes', () => {
  it('has each code that a problem can have, once explained and once by its status', async () => {
    const lines = (await readFile(DOCUMENT, 'utf8')).split('\n')
    const explained = lines.flatMap((line) => /^\| `([a-z-]+)` \|/.exec(line)?.[1] ?? [])
    expect([...new Set(explained)].sort()).toEqual([...PROBLEM_CODES].sort())
    const byStatus = lines.flatMap((line) => {
      const [, status, codes = ''] = /^\| (\d{3}) \| (.*) \|$/.exec(line) ?? []
      return [...codes.matchAll(/`([a-z-]+)`/g)].map(([, code]) => `${code} ${status}`)
    })
    const expected = PROBLEM_CODES.filter((code) => code !== 'abort-pending')
    expect(byStatus.sort()).toEqual(expected.map((code) => `${code} ${statusOf(code)}`).sort())
  })
})
