import { describe, expect, it } from 'vitest'
import { currentTime, currentTimeTool } from '../../../src/tools/index.ts'
import { call } from './temp-folder.ts'

const SUMMER = currentTimeTool({ now: () => new Date('2026-07-01T22:30:05.678Z') })
const WINTER = currentTimeTool({ now: () => new Date('2026-12-31T23:59:59.999Z') })

describe('current_time', () => {
  it.each([
    [SUMMER, 'UTC', '2026-07-01T22:30:05+00:00'],
    [SUMMER, 'Europe/Berlin', '2026-07-02T00:30:05+02:00'],
    [WINTER, 'Europe/Berlin', '2027-01-01T00:59:59+01:00'],
    [SUMMER, 'America/New_York', '2026-07-01T18:30:05-04:00'],
    [SUMMER, 'Asia/Kolkata', '2026-07-02T04:00:05+05:30'],
    [SUMMER, 'Asia/Kathmandu', '2026-07-02T04:15:05+05:45'],
  ])('tells local time with its offset', async (tool, timeZone, iso) => {
    expect(await call(tool, { timeZone })).toEqual({ iso, timeZone })
  })

  it('uses the zone of the machine when none is given', async () => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
    expect(await call(SUMMER, {})).toEqual(await call(SUMMER, { timeZone }))
  })

  it('reads the clock of the machine', async () => {
    const before = Math.floor(Date.now() / 1000) * 1000
    const { iso } = (await call(currentTime, { timeZone: 'Asia/Tokyo' })) as { iso: string }
    expect(Date.parse(iso)).toBeGreaterThanOrEqual(before)
    expect(Date.parse(iso)).toBeLessThanOrEqual(Date.now())
  })

  it.each(['Mars/Olympus', '', 'x'.repeat(64)])('refuses %j as a zone', async (timeZone) => {
    await expect(call(SUMMER, { timeZone })).rejects.toThrow(`There is no time zone "${timeZone}".`)
  })
})
