import { describe, it } from 'vitest'
import { BOUNDARIES } from '../support/boundary.ts'
import { expectOfferedSteerSurvives, expectSurvives, INJECTIONS } from '../support/boundary-scenario.ts'

describe.concurrent.each([...BOUNDARIES])('a Turn at the await "%s"', (boundary) => {
  it.each(Object.entries(INJECTIONS))('survives %s', async (_name, injection) => {
    await expectSurvives(boundary, injection)
  })
})

describe('a steer that was offered', () => {
  it('is withdrawn, not lost, when the model call is cancelled in its queue', async () => {
    await expectOfferedSteerSurvives()
  })
})
