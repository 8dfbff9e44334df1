/**
 * Others judge the same requests as our strict server: aimock, a provider simulator of other authors, and the
 * types of OpenAI's own client, which are generated from the schema that OpenAI publishes.
 */
import { LLMock } from '@copilotkit/aimock'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Message } from '../../src/core/message.ts'
import type { ModelRequest } from '../../src/core/ports.ts'
import { openaiChat } from '../../src/model/openai-chat.ts'
import { findViolations } from '../../src/testing/find-violations.ts'
import { callTools, say } from '../../src/testing/scripted-answer.ts'
import { ScriptedModelServer } from '../../src/testing/scripted-model-server.ts'

const ADD = {
  name: 'add',
  description: 'Adds.',
  parameters: { type: 'object', properties: { a: { type: 'number' } } },
}
const quiet = { signal: new AbortController().signal, onDelta: () => undefined }

const user = (content: string): Message => ({ role: 'user', content })
const assistant = (text: string, ...callIds: string[]): Message => ({
  role: 'assistant',
  text,
  calls: callIds.map((callId) => ({ callId, tool: 'add', arguments: '{"a":1}' })),
})
const receipt = (callId: string): Message => ({
  role: 'tool',
  callId,
  kind: 'ok',
  isError: false,
  content: '3',
})

const PARTS: Message = {
  role: 'user',
  content: [
    { type: 'text', text: 'See' },
    { type: 'image', ref: 'https://x.test/a.png' },
    { type: 'file', ref: 'data:application/pdf;base64,AA==', name: 'a.pdf' },
    { type: 'file', ref: 'file-1' },
  ],
}

/** Conversations as Turns leave them. */
const CONVERSATIONS: readonly (readonly Message[])[] = [
  [user('Hi')],
  [user('Add'), assistant('', 'c1_1_0', 'c1_1_1'), receipt('c1_1_0'), receipt('c1_1_1')],
  [
    user('Add'),
    assistant('Let me see.', 'c1_1_0'),
    receipt('c1_1_0'),
    user('Faster, please'),
    assistant('3'),
    PARTS,
  ],
]

/** What our client sends, as our own server's journal has it. */
async function journalOfOurClient(): Promise<readonly unknown[]> {
  const server = await ScriptedModelServer.start({ respond: () => say('Hello') })
  const model = openaiChat({ model: 'gpt-test', baseUrl: server.url, body: { temperature: 0 } })
  for (const messages of CONVERSATIONS) {
    const request: ModelRequest = { instructions: 'Be brief.', messages, tools: [ADD] }
    await model.respond(request, quiet)
  }
  const bodies = server.journal.chats.map(({ body }) => body)
  await server.close()
  return bodies
}

const USER = { role: 'user', content: 'Add' }
const call = (fields: object) => ({
  id: 'a',
  type: 'function',
  function: { name: 'add', arguments: '{}' },
  ...fields,
})
const asking = (...messages: unknown[]) => ({ model: 'm', stream: true, messages })

/** Requests that our server refuses, for reasons that a schema can express. */
const INVALID: readonly (readonly [what: string, body: unknown])[] = [
  ['no messages at all', { model: 'm', stream: true }],
  [
    'a receipt without content',
    asking(USER, { role: 'assistant', tool_calls: [call({})] }, { role: 'tool', tool_call_id: 'a' }),
  ],
  ['a receipt without a call id', asking(USER, { role: 'tool', content: '3' })],
  ['an unknown role', asking({ role: 'robot', content: 'x' })],
  ['user content that is null', asking({ role: 'user', content: null })],
  [
    'a call without a type',
    asking(
      USER,
      { role: 'assistant', tool_calls: [call({ type: undefined })] },
      { role: 'tool', tool_call_id: 'a', content: '3' },
    ),
  ],
  [
    'arguments that are an object',
    asking(
      USER,
      { role: 'assistant', tool_calls: [call({ function: { name: 'add', arguments: {} } })] },
      { role: 'tool', tool_call_id: 'a', content: '3' },
    ),
  ],
  ['an unknown part', asking({ role: 'user', content: [{ type: 'video', url: 'x' }] })],
  [
    'an image in a receipt',
    asking(
      USER,
      { role: 'assistant', tool_calls: [call({})] },
      { role: 'tool', tool_call_id: 'a', content: [{ type: 'image_url', image_url: { url: 'x' } }] },
    ),
  ],
  ['a tool without a function', { ...asking(USER), tools: [{ type: 'function', name: 'add' }] }],
]

describe("the types of OpenAI's client", () => {
  /** For each body, whether it fits the type of a streaming request. One program for all, because it takes a second. */
  function fits(bodies: readonly unknown[]): boolean[] {
    const path = `${import.meta.dirname}/bodies.virtual.ts`
    const text = [
      "import type { ChatCompletionCreateParamsStreaming as Request } from 'openai/resources/chat/completions'",
      ...bodies.map((body, index) => `export const body${index}: Request = ${JSON.stringify(body)}`),
    ].join('\n')
    const options: ts.CompilerOptions = {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      target: ts.ScriptTarget.ES2023,
      lib: ['lib.es2023.d.ts'],
      module: ts.ModuleKind.NodeNext,
      types: [],
    }
    const host = ts.createCompilerHost(options)
    const { getSourceFile, fileExists, readFile } = host
    host.fileExists = (file) => file === path || fileExists(file)
    host.readFile = (file) => (file === path ? text : readFile(file))
    host.getSourceFile = (file, ...rest) =>
      file === path
        ? ts.createSourceFile(file, text, ts.ScriptTarget.ES2023)
        : getSourceFile.call(host, file, ...rest)
    const program = ts.createProgram([path], options, host)
    const source = program.getSourceFile(path)
    const diagnostics = [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ]
    const lines = new Set(
      diagnostics.map(({ start = 0 }) => source?.getLineAndCharacterOfPosition(start).line),
    )
    if (lines.has(0)) throw new Error('The types of the client were not found.')
    return bodies.map((_, index) => !lines.has(index + 1))
  }

  it('agree with the strict server on what it accepts and on what it refuses', async () => {
    const valid = await journalOfOurClient()
    const invalid = INVALID.map(([, body]) => body)
    expect(fits([...valid, ...invalid])).toEqual([...valid.map(() => true), ...invalid.map(() => false)])
    expect(valid.map(findViolations)).toEqual(valid.map(() => []))
    expect(invalid.map((body) => findViolations(body).length > 0)).toEqual(invalid.map(() => true))
  }, 60_000)
})

describe('aimock', () => {
  const aimock = new LLMock({ port: 0, logLevel: 'silent' })

  beforeAll(async () => {
    aimock.on({ toolCallId: 'c1_1_1' }, { content: 'Found the receipt of the second call.' })
    aimock.on({ userMessage: 'Use the tool' }, { toolCalls: [{ name: 'add', arguments: '{"a":1}' }] })
    aimock.on({}, { content: 'Hello there' })
    await aimock.start()
  })
  afterAll(() => aimock.stop())

  const post = (body: string) => fetch(`${aimock.url}/v1/chat/completions`, { method: 'POST', body })

  it('takes every request in the journal of our client', async () => {
    for (const body of await journalOfOurClient()) {
      expect((await post(JSON.stringify(body))).status).toBe(200)
    }
  })

  it('refuses with us what it can tell', async () => {
    const server = await ScriptedModelServer.start({ script: [] })
    for (const body of ['{"model":', '[]', '{"model":"m","stream":true}']) {
      const ours = await fetch(`${server.url}/chat/completions`, { method: 'POST', body })
      const theirs = await post(body)
      expect([ours.status, theirs.status]).toEqual([400, 400])
      expect(await theirs.json()).toMatchObject({ error: { type: 'invalid_request_error' } })
      expect(await ours.json()).toMatchObject({ error: { type: 'invalid_request_error' } })
    }
    server.takeViolations()
    await server.close()
  })

  it('answers our client, which reads it as it reads our server', async () => {
    const server = await ScriptedModelServer.start({
      script: [say('Hello there', { usage: null }), callTools({ tool: 'add', arguments: { a: 1 } })],
    })
    const answers = async (baseUrl: string) => {
      const model = openaiChat({ model: 'gpt-test', baseUrl })
      const first = await model.respond({ instructions: '', messages: [user('Hi')], tools: [ADD] }, quiet)
      const second = await model.respond(
        { instructions: '', messages: [user('Use the tool')], tools: [ADD] },
        quiet,
      )
      return [first, second].map(({ text, calls, finish, model: name }) => ({ text, calls, finish, name }))
    }
    expect(await answers(`${aimock.url}/v1`)).toEqual(await answers(server.url))
    await server.close()
  })

  it('finds the receipt that answers a call', async () => {
    const model = openaiChat({ model: 'gpt-test', baseUrl: `${aimock.url}/v1` })
    const { text } = await model.respond(
      { instructions: '', messages: CONVERSATIONS[1] ?? [], tools: [ADD] },
      quiet,
    )
    expect(text).toBe('Found the receipt of the second call.')
  })
})
