import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { verifyLog } from '../../src/core/verify-log.ts'
import { gate } from '../../src/testing/gate.ts'
import { holdAfter, say } from '../../src/testing/scripted-answer.ts'
import { arbitraryRequest, isOfOthers } from './support/arbitrary-request.ts'
import type { OpenApiDocument } from './support/described.ts'
import { gatewayWorld } from './support/gateway-world.ts'

/** Answers every conversation that the requests begin. */
const gateway = gatewayWorld({
  answerOthers: say('Whatever.'),
  gateway: { limits: { requestsPerMinute: 0, abortMs: 500, jsonDepth: 16, bodyBytes: 64 * 1024 } },
})

describe('any request that the document allows, or nearly allows', () => {
  it("is answered as described, with a success or a problem that is the client's", async () => {
    const { body } = await gateway.call('GET', '/openapi.json')
    const document = body as unknown as OpenApiDocument
    const rested = gateway.open(say('Done.'))
    await rested.run()
    const held = gate()
    const talk = gateway.open(holdAfter(1, held, say(['One ', 'two.'])))
    await talk.begin()
    await talk.streaming()
    const requests = arbitraryRequest(document, {
      session: talk.session.id,
      rested: rested.session.id,
      input: 'f1',
      call: 'c1_1_0',
    })
    await fc.assert(
      fc.asyncProperty(requests, async ({ method, path, body: sent }) => {
        // Fails for an answer that is not as described.
        const answer = await gateway.call(method, path, sent)
        expect(answer.status).toBeLessThan(500)
        if (answer.status >= 400 && !isOfOthers(path) && method !== 'HEAD')
          expect(answer).toMatchObject({ body: { status: answer.status, code: expect.any(String) } })
      }),
      { numRuns: 300 },
    )
    held.open()
    const { sessions } = (await gateway.call('GET', '/v1/sessions?limit=500')).body
    for (const { sessionId } of sessions as { sessionId: string }[])
      expect(verifyLog(await gateway.world.log(sessionId), { settled: false })).toEqual([])
    expect(await gateway.call('GET', '/healthz')).toMatchObject({ status: 200 })
  })
})
