import { describe, expect, it } from 'vitest'
import type { Detector } from '../../../src/core/redaction/detector.ts'
import { detectorsOf, detectorsProblem, policyProblem } from '../../../src/core/redaction/redaction-policy.ts'
import { defineTool } from '../../../src/tools/index.ts'

const badge: Detector = { name: 'badge', find: () => [] }

describe('a redaction policy', () => {
  it('names the detectors that look, beside those of the agent', () => {
    const namesOf = (detectors: readonly Detector[]) => detectors.map(({ name }) => name)
    expect(namesOf(detectorsOf('off', [badge]))).toEqual([])
    expect(namesOf(detectorsOf({ detectors: ['email', 'card'] }, [badge]))).toEqual([
      'badge',
      'card',
      'email',
    ])
    expect(detectorsOf('default')).toHaveLength(7)
  })

  it.each([
    ['on', '', "must be 'default', 'off' or { detectors: […] }"],
    [null, '', "must be 'default', 'off' or { detectors: […] }"],
    [{ detector: [] }, '.detector', 'is not a field of it; it must be'],
    [{ detectors: [] }, '.detectors', 'must name at least one detector'],
    [{ detectors: ['card', 'crad'] }, '.detectors[1]', 'must be one of private-key, api-key, card,'],
  ])('that is wrong is named: %j', (policy, field, rule) => {
    expect(policyProblem(policy)).toEqual({ field, rule: expect.stringContaining(rule) })
  })

  it('of a tool is checked where the tool is defined', () => {
    expect(() =>
      defineTool({
        name: 'tell',
        description: 'Tells.',
        input: { type: 'object' },
        // @ts-expect-error there is no such detector
        result: { redact: { detectors: ['crad'] } },
        run: () => 'x',
      }),
    ).toThrow('Tool "tell": result.redact.detectors[0] must be one of private-key')
  })

  it('of an agent has detectors with a name and a function', () => {
    expect(detectorsProblem([badge])).toBe(undefined)
    expect(detectorsProblem('all')).toMatchObject({ field: '' })
    expect(detectorsProblem([badge, { name: 'Badge', find: () => [] }])).toMatchObject({ field: '[1].name' })
    expect(detectorsProblem([{ name: 'badge' }])).toMatchObject({ field: '[0].find' })
  })
})
