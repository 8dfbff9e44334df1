import { describe, expect, it } from 'vitest'
import {
  formatAge,
  formatBytes,
  formatCost,
  formatCount,
  formatDuration,
} from '../../../src/console/view/format.ts'

describe('what people read', () => {
  it.each([
    [0, '0 ms'],
    [999, '999 ms'],
    [1_000, '1.0 s'],
    [59_999, '59.9 s'],
    [60_000, '1 min'],
    [245_000, '4 min 5 s'],
    [7_380_000, '2 h 3 min'],
    [86_400_000, '1 d'],
  ])('%d milliseconds are %s', (durationMs, text) => {
    expect(formatDuration(durationMs)).toBe(text)
  })

  it.each([
    [0, '$0.00'],
    [123, '$0.000123'],
    [8_760, '$0.00876'],
    [13_100, '$0.0131'],
    [500_000, '$0.50'],
    [1_250_000, '$1.25'],
  ])('%d micro-dollars are %s', (microUsd, text) => {
    expect(formatCost(microUsd)).toBe(text)
  })

  it('counts and sizes are short', () => {
    expect([999, 12_345, 4_100_000].map(formatCount)).toEqual(['999', '12.3k', '4.1M'])
    expect([999, 116_000, 5_600_000].map(formatBytes)).toEqual(['999 B', '116.0 kB', '5.6 MB'])
  })

  it('ages are in one unit', () => {
    const now = Date.parse('2025-01-02T00:00:00Z')
    const ages = ['2025-01-01T23:59:58Z', '2025-01-01T23:59:20Z', '2025-01-01T21:00:00Z', 'never']
    expect(ages.map((at) => formatAge(at, now))).toEqual(['now', '40 s ago', '3 h ago', ''])
  })
})
