import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { callTools, say } from '../../src/testing/scripted-answer.ts'
import { defineTool } from '../../src/tools/index.ts'
import { sequenceOf, TurnWorld } from '../support/turn-world.ts'

describe('the standard example', () => {
  let world: TurnWorld

  beforeEach(async () => {
    world = await TurnWorld.open({
      script: [
        callTools({ tool: 'calculator', arguments: { expression: '6*7' } }),
        callTools({ tool: 'lookup', arguments: { word: 'answer' } }),
        say('It is 42.'),
      ],
      tools: [
        defineTool({
          name: 'calculator',
          description: 'Computes.',
          effect: 'read',
          input: { type: 'object', properties: { expression: { type: 'string' } } },
          run: async () => ({ value: 42 }),
        }),
        defineTool({
          name: 'lookup',
          description: 'Looks a word up.',
          input: { type: 'object', properties: { word: { type: 'string' } } },
          run: async () => 'found',
        }),
      ],
    })
  })
  afterEach(() => world.close())

  it('leaves exactly the documented sequence of events', async () => {
    await world.startWorker()
    const session = world.client.session(world.newSessionId())
    const { inputId } = await session.followup('What is 6*7?')
    const result = await session.turn(inputId).result({ timeoutMs: 30_000 })
    expect(result).toMatchObject({ fate: 'claimed', reason: 'completed', text: 'It is 42.', steps: 3 })
    expect(sequenceOf(await world.settledLog(session.id))).toEqual([
      'turn/start',
      'user/message',
      'step/start',
      'assistant/message',
      'tool/call',
      'tool/result',
      'step/end',
      'step/start',
      'assistant/message',
      'tool/call',
      'tool/result',
      'step/end',
      'step/start',
      'assistant/message',
      'step/end',
      'turn/end',
    ])
  })
})
