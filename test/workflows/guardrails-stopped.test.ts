import { afterEach, describe, expect, it } from 'vitest'
import type { Session } from '../../src/client/index.ts'
import type { EventOf } from '../../src/core/event.ts'
import type { GuardrailContext, Guardrails } from '../../src/core/guardrail.ts'
import { type Gate, gate } from '../../src/testing/gate.ts'
import { holdBeforeFirstToken, say } from '../../src/testing/scripted-answer.ts'
import { sequenceOf, TurnWorld, type WorldOptions } from '../support/turn-world.ts'

const PATIENCE = { timeoutMs: 30_000 }

/** A judgement that says when it has begun, and passes once it is let go of. */
function heldJudgement(isStopped: boolean) {
  const begun = gate()
  const released = gate()
  const judge = async (_: unknown, { signal }: GuardrailContext) => {
    begun.open()
    await Promise.race([released.opened, ...(isStopped ? [aborted(signal)] : [])])
    return { verdict: 'pass' } as const
  }
  return { begun, released, judge }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
}

describe('stopping a Turn that is being judged', () => {
  let world: TurnWorld
  let released: Gate
  afterEach(async () => {
    released.open()
    await world.close()
  })

  async function open(guardrails: Guardrails, options: WorldOptions = {}): Promise<Session> {
    world = await TurnWorld.open({ ...options, guardrails })
    await world.startWorker()
    return world.client.session(world.newSessionId())
  }

  describe.each([
    ['that stops when it is told to', true],
    ['that does not', false],
  ])('by a guardrail %s', (_, isStopped) => {
    it('while inputs are judged, asks no model, and shows the input to none', async () => {
      const held = heldJudgement(isStopped)
      released = held.released
      const session = await open({ input: [{ name: 'slow', judge: held.judge }] })
      await session.followup('Hi', { id: 'f1' })
      await held.begun.opened
      expect(await session.abort()).toMatchObject({ turnId: 'f1', reason: 'aborted' })
      await session.whenIdle(PATIENCE)
      expect(sequenceOf(await world.settledLog(session.id))).toEqual([
        'turn/start',
        'user/message',
        'turn/end',
      ])
      expect(world.model.journal.count).toBe(0)
      expect((await session.messages())[0]).toEqual({
        role: 'user',
        content: '[A message of the user was not judged by the guardrails and is not shown.]',
      })
    })

    it('while a text is judged, keeps nothing of it but what it cost', async () => {
      const held = heldJudgement(isStopped)
      released = held.released
      const usage = { inputTokens: 11, outputTokens: 7 }
      const session = await open(
        { output: [{ name: 'slow', judge: held.judge }] },
        { script: [say('Unheard of.', { usage })] },
      )
      await session.followup('Hi', { id: 'f1' })
      await held.begun.opened
      expect(await session.abort()).toMatchObject({ turnId: 'f1', reason: 'aborted' })
      await session.whenIdle(PATIENCE)
      const log = await world.settledLog(session.id)
      expect(sequenceOf(log)).toEqual([
        'turn/start',
        'user/message',
        'step/start',
        'assistant/draft',
        'attempt/lost',
        'step/end',
        'turn/end',
      ])
      expect(log.at(-1)).toMatchObject({ usage })
      expect(JSON.stringify(log)).not.toContain('Unheard')
      expect(JSON.stringify(await session.messages())).not.toContain('Unheard')
    })

    it('while a steer is judged, does not show it to the model', async () => {
      const held = heldJudgement(isStopped)
      released = held.released
      const streaming = gate()
      const session = await open(
        {
          input: [
            {
              name: 'slow',
              judge: (content, context) =>
                content === 'Hi' ? { verdict: 'pass' } : held.judge(content, context),
            },
          ],
        },
        { script: [holdBeforeFirstToken(streaming, say('Hello.'))] },
      )
      await session.followup('Hi', { id: 'f1' })
      await world.model.journal.waitFor(() => true)
      await session.steer('More', { id: 's1' })
      streaming.open()
      await held.begun.opened
      expect(await session.abort()).toMatchObject({ turnId: 'f1', reason: 'aborted' })
      await session.whenIdle(PATIENCE)
      await world.settledLog(session.id)
      expect(world.model.journal.count).toBe(1)
      expect(JSON.stringify(await session.messages())).not.toContain('More')
    })
  })

  it('after the Step, lets the judgement have its say', async () => {
    const held = heldJudgement(false)
    released = held.released
    const session = await open({ output: [{ name: 'slow', judge: held.judge }] }, { script: [say('Hello.')] })
    await session.followup('Hi', { id: 'f1' })
    await held.begun.opened
    const workflowId = `turnstep:default:${session.id}`
    await world.temporal.workflow.getHandle(workflowId).signal('stop', { v: 1, mode: 'after-step' })
    held.released.open()
    expect(await session.turn('f1').result(PATIENCE)).toMatchObject({ reason: 'completed', text: 'Hello.' })
    await world.settledLog(session.id)
  })

  it('is not what a steer does: it joins the next Step, behind what was judged', async () => {
    const held = heldJudgement(false)
    released = held.released
    const session = await open(
      { output: [{ name: 'slow', judge: held.judge }] },
      { script: [say('Hello.'), say('Bye.')] },
    )
    await session.followup('Hi', { id: 'f1' })
    await held.begun.opened
    await session.steer('More', { id: 's1' })
    held.released.open()
    expect(await session.turn('s1').result(PATIENCE)).toMatchObject({ turnId: 'f1', text: 'Bye.', steps: 2 })
    await session.whenIdle(PATIENCE)
    const log = await world.settledLog(session.id)
    const claimed = log.find(
      (event): event is EventOf<'user/message'> => event.type === 'user/message' && event.inputId === 's1',
    )
    expect(claimed?.step).toBe(2)
  })

  it('by the clock hands back without what was not judged', async () => {
    const held = heldJudgement(true)
    released = held.released
    const session = await open(
      { output: [{ name: 'slow', judge: held.judge }] },
      { script: [say('Unheard of.')], limits: { maxDurationMs: 2_000 } },
    )
    await session.followup('Hi', { id: 'f1' })
    expect(await session.turn('f1').result(PATIENCE)).toMatchObject({ reason: 'max-duration', text: '' })
    expect(JSON.stringify(await world.settledLog(session.id))).not.toContain('Unheard')
  })
})
