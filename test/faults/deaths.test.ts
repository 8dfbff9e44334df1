import { describe, expect, it } from 'vitest'
import { findFailures, renderTable } from '../deaths/death-table.ts'
import { judge } from '../deaths/mortal-turn.ts'
import { POINTS } from '../deaths/points.ts'
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

describe('the judge of these Turns', () => {
  const arrivals = [1, 2].map((number) => ({ number, requestId: 'r', session: 's', at: 0 }))
  const traces = { log: [], arrivals, requests: [] }

  it.each([
    ['after its answer came, before the receipt', 'effects: 2 instead of 1'],
    ['after the claim, before the request', 'effects: 2 instead of 0'],
    ['after the receipt, before its answer', 'effects: 2 instead of 1'],
  ])('sees that a call with one effect had two, after a death %s', (place, violation) => {
    const deaths = POINTS.filter(({ name }) => name === `tool call: ${place}`)
    expect(judge({ effect: 'once', deaths }, traces)).toContain(violation)
  })

  it('sees that a result was produced again although it had been committed', () => {
    const deaths = POINTS.filter(({ name }) => name === 'tool call: after the receipt, before its answer')
    expect(judge({ effect: 'read', deaths }, traces)).toContain('effects: 2 instead of 1')
  })

  it('sees that a model was asked again although its message had been committed', () => {
    const deaths = POINTS.filter(({ name }) => name === 'model call 1: after the message, before its answer')
    const requests = [1, 1].map((step) => ({ step, receipt: '' }))
    expect(judge({ effect: 'once', deaths }, { log: [], arrivals: [], requests })).toContain(
      'requests of Step 1: 2 instead of 1',
    )
  })
})
