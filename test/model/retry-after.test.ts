import { describe, expect, it } from 'vitest'
import { retryAfterMs } from '../../src/model/retry-after.ts'

const NOW = Date.parse('2026-01-02T03:04:05Z')

function wait(headers: Record<string, string>, body?: unknown) {
  return retryAfterMs(
    (name) => headers[name] ?? null,
    body,
    () => NOW,
  )
}

describe('retryAfterMs', () => {
  it.each([
    { what: 'seconds', headers: { 'retry-after': '30' }, ms: 30_000 },
    { what: 'fractions of a second', headers: { 'retry-after': '0.25' }, ms: 250 },
    { what: 'zero', headers: { 'retry-after': '0' }, ms: 0 },
    { what: 'a date', headers: { 'retry-after': 'Fri, 02 Jan 2026 03:04:35 GMT' }, ms: 30_000 },
    {
      what: 'a date by the clock of the server',
      headers: { 'retry-after': 'Fri, 02 Jan 2026 13:00:10 GMT', date: 'Fri, 02 Jan 2026 13:00:00 GMT' },
      ms: 10_000,
    },
    { what: 'a date that has passed', headers: { 'retry-after': 'Fri, 02 Jan 2026 03:00:00 GMT' }, ms: 0 },
    { what: 'milliseconds', headers: { 'retry-after-ms': '1500' }, ms: 1_500 },
    { what: "Azure's milliseconds", headers: { 'x-ms-retry-after-ms': '700.2' }, ms: 701 },
    { what: 'the longest of several', headers: { 'retry-after': '2', 'retry-after-ms': '1900' }, ms: 2_000 },
    {
      what: 'the reset of requests that are used up',
      headers: { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '1m6.5s' },
      ms: 66_500,
    },
    {
      what: 'the later reset of both',
      headers: { 'x-ratelimit-reset-requests': '20ms', 'x-ratelimit-reset-tokens': '1h0m1s' },
      ms: 3_601_000,
    },
    { what: 'a reset in plain seconds', headers: { 'x-ratelimit-reset-tokens': '7' }, ms: 7_000 },
    {
      what: 'retry-after before resets',
      headers: { 'retry-after': '1', 'x-ratelimit-reset-tokens': '6m0s' },
      ms: 1_000,
    },
  ])('B44: reads $what', ({ headers, ms }) => {
    expect(wait(headers)).toBe(ms)
  })

  it('B44: reads the delay that Google puts into the body', () => {
    expect(wait({}, { details: [{ '@type': 'x' }, { retryDelay: '17.5s' }] })).toBe(17_500)
  })

  it.each([
    { what: 'nothing', headers: {} },
    { what: 'words', headers: { 'retry-after': 'soon' } },
    { what: 'a negative number', headers: { 'retry-after': '-5' } },
    { what: 'more than a day', headers: { 'retry-after': '604800' } },
    {
      what: 'a reset of a limit that is not used up',
      headers: { 'x-ratelimit-remaining-tokens': '10', 'x-ratelimit-reset-tokens': '6m0s' },
    },
    { what: 'a reset as a point in time', headers: { 'x-ratelimit-reset-requests': '1767323045' } },
    { what: 'a reset as a date', headers: { 'x-ratelimit-reset-requests': '2026-01-02T03:05:00Z' } },
  ])('is undefined for $what', ({ headers }) => {
    expect(wait(headers)).toBeUndefined()
  })
})
