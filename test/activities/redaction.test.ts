import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Detector } from '../../src/core/redaction/detector.ts'
import { defineAgent } from '../../src/define-agent.ts'
import { openaiChat } from '../../src/model/openai-chat.ts'
import { callTools, say } from '../../src/testing/scripted-answer.ts'
import { defineTool } from '../../src/tools/index.ts'
import {
  ARGUMENT_CANARIES,
  type Canaries,
  canariesIn,
  ERROR_CANARIES,
  plant,
  RESULT_CANARIES,
} from '../support/canaries.ts'
import { receiptsIn } from '../support/conversations.ts'
import { TurnWorld } from '../support/turn-world.ts'
import { type ProcessTool, WorkerProcess } from '../support/worker-process.ts'

const tells: ProcessTool = { name: 'tells', effect: 'read', result: plant(RESULT_CANARIES), isHeld: false }
const fails: ProcessTool = {
  name: 'fails',
  effect: 'once',
  result: plant(ERROR_CANARIES),
  isHeld: false,
  isFailing: true,
}

describe('planted secrets, after a Turn in a worker process', () => {
  let world: TurnWorld
  beforeAll(async () => {
    world = await TurnWorld.open({})
  })
  afterAll(() => world.close())

  it('are found where they are planted', () => {
    for (const canaries of [RESULT_CANARIES, ERROR_CANARIES, ARGUMENT_CANARIES])
      expect(canariesIn(plant(canaries), canaries)).toEqual(Object.keys(canaries))
  })

  it('are nowhere: not in the Temporal history, the store, the output of the worker or what the model reads', async () => {
    const sessionId = world.newSessionId()
    const args = { ...ARGUMENT_CANARIES, text: plant(ARGUMENT_CANARIES) }
    world.model.enqueue(
      callTools({ tool: 'tells', arguments: args }, { tool: 'fails', arguments: args }),
      callTools({ tool: 'tells', arguments: { again: true } }),
      say('Done.'),
    )
    const worker = await WorkerProcess.start(world, [tells, fails], { isLoud: true })
    await world.client.session(sessionId).followup('Go.', { id: 'f1' })
    await world.client.session(sessionId).turn('f1').result({ timeoutMs: 40_000 })
    worker.signal('SIGTERM')
    await worker.exited()

    const history = readable(
      await world.temporal.workflow.getHandle(`turnstep:default:${sessionId}`).fetchHistory(),
    )
    expect(history).toContain('"callId":"c1_1_0"')
    expectNone(history, [RESULT_CANARIES, ERROR_CANARIES, ARGUMENT_CANARIES])

    expect(worker.output).toContain('RUNNING')
    expectNone(worker.output, [RESULT_CANARIES, ERROR_CANARIES, ARGUMENT_CANARIES])

    // The arguments are in the message that asked for the call, which must be made with them; and nowhere else.
    const bytes = readdirSync(world.folder).map((name) => readFileSync(join(world.folder, name), 'latin1'))
    expect(bytes.join()).toContain('assistant/message')
    expectNone(bytes.join(), [RESULT_CANARIES, ERROR_CANARIES])
    const log = await world.settledLog(sessionId)
    expectNone(readable(log.filter(({ type }) => type !== 'assistant/message')), [ARGUMENT_CANARIES])

    const [result = '', error = '', again] = receiptsIn(world.model.journal.chats.at(-1)?.body)
    expectNone(result + error, [RESULT_CANARIES, ERROR_CANARIES])
    const kinds = ['card', 'iban', 'national-id', 'phone', 'email', 'api-key', 'api-key', 'private-key']
    expect(placeholders(result).map((found) => found.split(':')[0])).toEqual(kinds)
    expect(placeholders(error).map((found) => found.split(':')[0])).toEqual(kinds)
    expect(new Set([...placeholders(result), ...placeholders(error)]).size).toBe(16)
    expect(again).toBe(result)
  })
})

describe('redaction by the policy of a tool and the detectors of an agent', () => {
  const text = 'card 4111111111111111, mail ada@example.org, badge B-1234'
  const input = { type: 'object' } as const
  const tools = [
    defineTool({ name: 'plain', description: 'Tells.', input, run: () => text }),
    defineTool({ name: 'off', description: 'Tells.', input, result: { redact: 'off' }, run: () => text }),
    defineTool({
      name: 'cards',
      description: 'Tells.',
      input,
      result: { redact: { detectors: ['card'] } },
      run: () => ({ text }),
    }),
  ]
  const badge: Detector = {
    name: 'badge',
    find: (found) => [...found.matchAll(/B-\d{4}/g)].map(({ index }) => ({ start: index, end: index + 6 })),
  }
  const broken: Detector = {
    name: 'broken',
    find: () => {
      throw new Error('The detector says 4111111111111111.')
    },
  }
  let world: TurnWorld
  beforeAll(async () => {
    world = await TurnWorld.open({})
  })
  afterAll(() => world.close())

  async function receiptsWith(detectors: readonly Detector[]): Promise<readonly string[]> {
    const model = openaiChat({ model: 'scripted-model', baseUrl: world.model.url })
    const agent = defineAgent({ name: 'tester', instructions: '', model, tools, redaction: { detectors } })
    const worker = await world.startWorker({ agents: [agent] })
    world.model.enqueue(callTools({ tool: 'plain' }, { tool: 'off' }, { tool: 'cards' }), say('Done.'))
    const session = world.client.session(world.newSessionId())
    await session.followup('Go.', { id: 'f1' })
    await session.turn('f1').result({ timeoutMs: 40_000 })
    await worker.stop()
    await world.settledLog(session.id)
    return receiptsIn(world.model.journal.chats.at(-1)?.body)
  }

  it('leaves what the policy allows', async () => {
    expect((await receiptsWith([badge])).map(withoutDigests)).toEqual([
      'card [card], mail [email], badge [badge]',
      text,
      '{"text":"card [card], mail ada@example.org, badge [badge]"}',
    ])
  })

  it('withholds a result when a detector fails, and says that the tool ran', async () => {
    expect(await receiptsWith([broken])).toEqual([
      expect.stringMatching(/^The tool ran, but what it returned could not be redacted/),
      text,
      expect.stringMatching(/^The tool ran, but what it returned could not be redacted/),
    ])
  })
})

function expectNone(text: string, planted: readonly Canaries[]): void {
  for (const canaries of planted) expect(canariesIn(text, canaries)).toEqual([])
}

function placeholders(text: string): readonly string[] {
  return [...text.matchAll(/\[[a-z-]+:[0-9a-f]{8}\]/g)].map(([found]) => found.slice(1))
}

function withoutDigests(text: string): string {
  return text.replace(/\[([a-z-]+):[0-9a-f]{8}\]/g, '[$1]')
}

/** Everything that a value holds as text, bytes decoded. */
function readable(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8')
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .map(([name, member]) => `${name} ${readable(member)}`)
    .join('\n')
}
