import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Event } from '../../src/core/event.ts'
import { say } from '../../src/testing/scripted-answer.ts'
import { sequenceOf, TurnWorld } from '../support/turn-world.ts'
import { type ProcessGuardrail, WorkerProcess } from '../support/worker-process.ts'

const input: ProcessGuardrail = { name: 'input', stage: 'input', isHeld: false }
const output: ProcessGuardrail = { name: 'output', stage: 'output', isHeld: false }

const JUDGED_TURN = [
  'turn/start',
  'user/message',
  'guardrail/judged',
  'step/start',
  'assistant/draft',
  'guardrail/judged',
  'assistant/message',
  'step/end',
  'turn/end',
]

describe('a worker process with guardrails, killed with SIGKILL', () => {
  let world: TurnWorld

  beforeEach(async () => {
    world = await TurnWorld.open({ script: [say('It is 42.')] })
  })
  afterEach(() => world.close())

  async function finish(sessionId: string): Promise<readonly Event[]> {
    const result = await world.client.session(sessionId).turn('f1').result({ timeoutMs: 50_000 })
    expect(result).toMatchObject({ fate: 'claimed', reason: 'completed', text: 'It is 42.', steps: 1 })
    return world.settledLog(sessionId)
  }

  it.each<[where: string, guardrails: readonly ProcessGuardrail[], again: readonly string[]]>([
    ['judging an input', [{ ...input, isHeld: true }, output], ['input: What is 6*7?', 'output: It is 42.']],
    ['judging an output', [input, { ...output, isHeld: true }], ['output: It is 42.']],
  ])('while it is %s, has the same judged again and the model asked once', async (_, held, again) => {
    const first = await WorkerProcess.start(world, [], { guardrails: held })
    const session = world.client.session(world.newSessionId())
    await session.followup('What is 6*7?', { id: 'f1' })
    await first.judging(held.find(({ isHeld }) => isHeld)?.name ?? '')
    await first.kill()
    const second = await WorkerProcess.start(world, [], { guardrails: [input, output] })
    expect(sequenceOf(await finish(session.id))).toEqual(JUDGED_TURN)
    expect(second.judged).toEqual(again)
    expect(world.model.journal.count).toBe(1)
  })

  it.each([
    ['judgeInputs', ['output: It is 42.']],
    ['callModel', ['output: It is 42.']],
    ['judgeOutput', []],
  ] as const)(
    'after the work of %s was committed and before it was answered, has nothing judged or paid for twice',
    async (silentActivity, again) => {
      const guardrails = [input, output]
      const first = await WorkerProcess.start(world, [], { guardrails, silentActivity })
      const session = world.client.session(world.newSessionId())
      await session.followup('What is 6*7?', { id: 'f1' })
      await first.fallenSilent()
      await first.kill()
      const second = await WorkerProcess.start(world, [], { guardrails })
      expect(sequenceOf(await finish(session.id))).toEqual(JUDGED_TURN)
      expect(second.judged).toEqual(again)
      expect(world.model.journal.count).toBe(1)
    },
  )
})
