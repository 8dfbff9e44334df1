import { describe, expect, it } from 'vitest'
import type { SessionStatus } from '../../../src/console/api/answers.ts'
import { ApiProblem, adviceFor, problemOf } from '../../../src/console/api/problem.ts'
import { newSessionId } from '../../../src/console/view/new-ids.ts'
import type { TurnLog } from '../../../src/console/view/session-log.ts'
import { shownTitle, titleOf } from '../../../src/console/view/session-title.ts'
import { waitingOf } from '../../../src/console/view/waiting.ts'
import type { NewEvent } from '../../../src/core/event.ts'
import { sampleTurn, seal } from '../../core/sample-log.ts'

const turn = sampleTurn('u1')
const asked = { argumentsDigest: 'digest', expiresAt: '2025-01-02T00:00:00.000Z', turnId: 'u1', step: 1 }
const STATUS: SessionStatus = {
  phase: 'waiting_human',
  approvals: [
    { kind: 'call', callId: 'c1_1_0', tool: 'send', arguments: '{}', risk: 'high', ...asked },
    { kind: 'text', callId: 'm1_1', text: 'Hm.', guardrail: 'guard', reason: 'Look.', ...asked },
  ],
  clientCalls: [{ callId: 'c1_1_1', tool: 'look', arguments: '{}', expiresAt: asked.expiresAt }],
}

function waiting(...events: readonly NewEvent[]): readonly string[] {
  const log: TurnLog = { kind: 'turn', turnId: 'u1', turn: 1, events: seal(events) }
  const { approvals, clientCalls } = waitingOf(STATUS, log)
  return [...approvals, ...clientCalls].map(({ callId }) => callId)
}

describe('what waits', () => {
  it('is what the status says', () => {
    expect(waiting(turn.start())).toEqual(['c1_1_0', 'm1_1', 'c1_1_1'])
  })

  it('is not what the log has seen decided, judged or answered since', () => {
    expect(waiting(turn.decides(1, 0, 'approve'))).toEqual(['m1_1', 'c1_1_1'])
    expect(waiting(turn.judgesOutput(1, 'pass'))).toEqual(['c1_1_0', 'c1_1_1'])
    expect(waiting(turn.answers(1, 1))).toEqual(['c1_1_0', 'm1_1'])
    expect(waiting(turn.end('aborted'))).toEqual([])
  })
})

describe('a problem', () => {
  it('is read from its document, with what can be done', async () => {
    const body = JSON.stringify({ code: 'too-late', detail: 'The approval expired.' })
    const problem = await problemOf(new Response(body, { status: 409 }))
    expect(problem).toMatchObject({ code: 'too-late', status: 409, message: 'The approval expired.' })
    expect(adviceFor(problem)).toBe('Its time is over. The model is told that it was denied.')
  })

  it('is told by its status where there is no document', async () => {
    const problem = await problemOf(new Response('<html>', { status: 502 }))
    expect(problem).toMatchObject({ code: 'http-502', message: 'The gateway answered with status 502.' })
    expect(adviceFor(problem)).toBe('Try again; if it stays, look into the log of the gateway.')
    expect(adviceFor(new ApiProblem({ code: 'constructor', status: 400, detail: '' }))).toBeUndefined()
  })

  it('says when a key would help', async () => {
    const headers = { 'www-authenticate': 'Bearer error="invalid_token"' }
    expect((await problemOf(new Response('{}', { status: 401, headers }))).isKeyWanted).toBe(true)
  })
})

describe('a session', () => {
  it('is called after its first message', () => {
    expect(titleOf('\n Fix  the notes.\nAnd more.')).toBe('Fix the notes.')
    expect(titleOf('x'.repeat(100))).toBe(`${'x'.repeat(79)}…`)
    expect(shownTitle(undefined, 'main')).toBe('main')
    expect(shownTitle(' ', 'main')).toBe('main')
    expect(shownTitle('Notes', 'main')).toBe('Notes')
  })

  it('has an id that tells when it began', () => {
    expect(newSessionId(new Date(2025, 0, 31, 14, 5))).toMatch(/^chat-20250131-1405-[0-9a-f]{4}$/)
  })
})
