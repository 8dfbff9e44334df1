import { describe, expect, it } from 'vitest'
import { findFailures, renderTable } from '../deaths/death-table.ts'
import { runDeaths } from '../deaths/run-deaths.ts'
import { temporalAddress } from '../support/temporal-address.ts'

const TIMEOUT_MS = 180_000

describe('Turns whose worker is killed at every point of the loop', () => {
  it(
    'have at most one effect for each request id, exactly one where the outcome is known, and all complete',
    async () => {
      const report = await runDeaths({ address: temporalAddress(), deaths: 40, seed: 4 })
      expect(findFailures(report), renderTable(report)).toEqual([])
    },
    TIMEOUT_MS,
  )
})
