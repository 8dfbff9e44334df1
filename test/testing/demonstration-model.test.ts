import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readQuestions } from '../../src/cli/demonstration/question.ts'
import { demonstrationReply, startDemonstrationModel } from '../../src/cli/demonstration-model.ts'
import type { Message } from '../../src/core/message.ts'
import type { ModelResponse, ModelToolDescription } from '../../src/core/ports.ts'
import { openaiChat } from '../../src/model/openai-chat.ts'
import { findViolations } from '../../src/testing/find-violations.ts'

const TOOLS: readonly ModelToolDescription[] = [
  'list_files',
  'read_file',
  'grep',
  'calculator',
  'current_time',
  'write_file',
].map((name) => ({ name, description: '', parameters: { type: 'object' } }))

const SIGNAL = new AbortController().signal

describe('readQuestions', () => {
  it.each([
    [
      'Which TypeScript file here has the most lines?',
      [{ kind: 'rank', measure: 'lines', end: 'most', extension: '.ts' }],
    ],
    [
      'what is the largest file in src/core',
      [{ kind: 'rank', measure: 'bytes', end: 'most', path: 'src/core' }],
    ],
    [
      'Which .md file has the fewest lines?',
      [{ kind: 'rank', measure: 'lines', end: 'fewest', extension: '.md' }],
    ],
    ['How many Markdown files are there?', [{ kind: 'count', extension: '.md' }]],
    ['How many files are in src?', [{ kind: 'count', path: 'src' }]],
    ['How many lines does README.md have?', [{ kind: 'length', path: 'README.md' }]],
    ['Tell me the number of lines in a/b.ts', [{ kind: 'length', path: 'a/b.ts' }]],
    [
      'which ts file in src is the shortest',
      [{ kind: 'rank', measure: 'lines', end: 'fewest', extension: '.ts', path: 'src' }],
    ],
    ['Whats the time', [{ kind: 'time' }]],
    ['What is in package.json?', [{ kind: 'read', path: 'package.json' }]],
    ['Show me `src/core/ids.ts`', [{ kind: 'read', path: 'src/core/ids.ts' }]],
    ['Find "TODO: later" in the TypeScript files', [{ kind: 'find', text: 'TODO: later', extension: '.ts' }]],
    ['Where is workflowIdOf defined?', [{ kind: 'find', text: 'workflowIdOf' }]],
    ['Which files mention Temporal?', [{ kind: 'find', text: 'Temporal' }]],
    ['What is 12 * (3 + 4)?', [{ kind: 'calculate', expression: '12 * (3 + 4)' }]],
    ['How much is 7 times 6', [{ kind: 'calculate', expression: '7 * 6' }]],
    ['What is the square root of 144?', [{ kind: 'calculate', expression: 'sqrt(144)' }]],
    ['What time is it?', [{ kind: 'time' }]],
    ['what time is it in Tokyo?', [{ kind: 'time', timeZone: 'Asia/Tokyo' }]],
    ['List the files in docs', [{ kind: 'list', path: 'docs' }]],
    ['What is 6 * 7 and what time is it?', [{ kind: 'calculate', expression: '6 * 7' }, { kind: 'time' }]],
    [
      'How many JSON files are there? And then what is in tsconfig.json?',
      [
        { kind: 'count', extension: '.json' },
        { kind: 'read', path: 'tsconfig.json' },
      ],
    ],
    [
      'Write "hello and what is up?" to notes.txt',
      [{ kind: 'write', path: 'notes.txt', text: 'hello and what is up?' }],
    ],
    ["Put 'a' into docs/a.md", [{ kind: 'write', path: 'docs/a.md', text: 'a' }]],
    ['Write a file hello.md that says hi', [{ kind: 'write', path: 'hello.md', text: 'hi' }]],
    ['Create a new file called x.txt with "y"', [{ kind: 'write', path: 'x.txt', text: 'y' }]],
    ['Hello', []],
    ['Write me a poem about durable workflows', []],
    ['', []],
  ])('understands %j', (text, questions) => {
    expect(readQuestions(text)).toEqual(questions)
  })
})

describe('the demonstration model', () => {
  let demonstration: Awaited<ReturnType<typeof startDemonstrationModel>>

  beforeAll(async () => {
    demonstration = await startDemonstrationModel()
  })
  afterAll(() => demonstration.close())

  /** Lets it work with these tools until it has an answer; the calls that it made, and the answer. */
  async function converse(ask: string, run: (tool: string, args: Record<string, unknown>) => unknown) {
    const model = openaiChat({ model: 'turnstep-demonstration', baseUrl: demonstration.url })
    const messages: Message[] = [{ role: 'user', content: ask }]
    const made: unknown[] = []
    for (let step = 1; ; step += 1) {
      const response: ModelResponse = await model.respond(
        { instructions: 'Be brief.', messages, tools: TOOLS },
        { signal: SIGNAL, onDelta: () => undefined },
      )
      if (response.calls.length === 0) return { made, text: response.text, finish: response.finish }
      const calls = response.calls.map(({ tool, argumentsText }, index) => ({
        callId: `c${step}_${index}`,
        tool,
        arguments: argumentsText,
      }))
      messages.push({ role: 'assistant', text: response.text, calls })
      for (const { callId, tool, arguments: text } of calls) {
        const args = JSON.parse(text) as Record<string, unknown>
        made.push([tool, args])
        const result = run(tool, args)
        messages.push({
          role: 'tool',
          callId,
          kind: 'ok',
          isError: false,
          content: typeof result === 'string' ? result : JSON.stringify(result),
        })
      }
    }
  }

  it('answers the first question in three Steps, out of what the tools said', async () => {
    const files = [
      { path: 'b/long.ts', bytes: 900, lines: 77 },
      { path: 'a.ts', bytes: 10, lines: 3 },
    ]
    const { made, text, finish } = await converse('Which TypeScript file here has the most lines?', (tool) =>
      tool === 'list_files'
        ? { files, total: 2, omitted: 0 }
        : { path: 'b/long.ts', totalLines: 77, from: 1, text: '// long\nx' },
    )
    expect(made).toEqual([
      ['list_files', { extension: '.ts', sort: 'lines', limit: 5 }],
      ['read_file', { path: 'b/long.ts', from: 1, lines: 3 }],
    ])
    expect(text).toBe('Of the 2 .ts files here, b/long.ts has the most lines: 77. It begins with: // long')
    expect(finish).toBe('stop')
  })

  it('believes what it read over what the list said', async () => {
    const { text } = await converse('Which TypeScript file here has the most lines?', (tool) =>
      tool === 'list_files'
        ? { files: [{ path: 'a.ts', bytes: 9, lines: 3 }], total: 1, omitted: 0 }
        : { totalLines: 4, text: 'x' },
    )
    expect(text).toBe('a.ts is the only one of the .ts files here, with 4 lines. It begins with: x')
  })

  it('finds the fewest among all, and names ties', async () => {
    const files = [
      { path: 'a.md', bytes: 9, lines: 3 },
      { path: 'b.md', bytes: 5, lines: 1 },
      { path: 'c.md', bytes: 5, lines: 1 },
    ]
    const { made, text } = await converse('Which Markdown file has the fewest lines?', (tool) =>
      tool === 'list_files' ? { files, total: 3, omitted: 0 } : { totalLines: 1, text: 'b' },
    )
    expect(made[0]).toEqual(['list_files', { extension: '.md', sort: 'lines', limit: 1000 }])
    expect(text).toBe('Of the 3 .md files here, b.md has the fewest lines: 1. So has c.md. It begins with: b')
  })

  it.each([
    [
      'How many Markdown files are there?',
      { files: [], total: 12, omitted: 12 },
      'There are 12 .md files here.',
    ],
    [
      'How many lines does a.md have?',
      { path: 'a.md', totalLines: 7, from: 1, text: 'x' },
      'a.md has 7 lines.',
    ],
    [
      'What is in a.md?',
      { path: 'a.md', totalLines: 2, from: 1, text: '# A\nb' },
      'a.md has 2 lines:\n\n# A\nb',
    ],
    [
      'Where is "a {" used?',
      { matches: [{ path: 'x.ts', line: 4, text: '  a { b }' }], total: 1 },
      '"a {" stands in 1 line:\n- x.ts:4 a { b }',
    ],
    ['Find nothing', { matches: [], total: 0 }, 'Nothing here says "nothing".'],
    ['What is 12 * (3 + 4)?', { value: 84 }, '12 * (3 + 4) = 84'],
    [
      'What time is it in Berlin?',
      { iso: '2026-01-02T03:04:05+01:00', timeZone: 'Europe/Berlin' },
      'It is 2026-01-02T03:04:05+01:00 (Europe/Berlin).',
    ],
    [
      'Which Python file is the longest?',
      { files: [], total: 0, omitted: 0 },
      'There are no .py files here.',
    ],
    [
      'List the files',
      { files: [{ path: 'a', bytes: 1, lines: 2 }], total: 4, omitted: 3 },
      'There are 4 files:\n- a (2 lines)\nand 3 more.',
    ],
  ])('answers %j', async (ask, result, answer) => {
    expect((await converse(ask, () => result)).text).toBe(answer)
  })

  it('writes what it was told to, over what is there if it has to', async () => {
    const { made, text } = await converse('Write "hello" to notes.txt', (tool) =>
      tool === 'read_file' ? { totalLines: 3, text: 'x' } : { path: 'notes.txt', bytes: 6 },
    )
    expect(made).toEqual([
      ['read_file', { path: 'notes.txt', from: 1, lines: 1 }],
      ['write_file', { path: 'notes.txt', content: 'hello\n', mode: 'replace' }],
    ])
    expect(text).toBe('I wrote 6 bytes to notes.txt.')
  })

  it('says so when it may not write', async () => {
    const { made, text } = await converse('Write "hello" to notes.txt', (tool) =>
      tool === 'read_file' ? '"notes.txt" does not exist.' : 'Denied: it was not approved.',
    )
    expect(made[1]).toEqual(['write_file', { path: 'notes.txt', content: 'hello\n', mode: 'create' }])
    expect(text).toBe('I could not write it, because write_file answered: Denied: it was not approved.')
  })

  it('searches again without regard to case', async () => {
    const { made, text } = await converse('Where is Foo.bar used?', (_tool, args) =>
      args['pattern'] === '(?i)Foo\\.bar'
        ? { matches: [{ path: 'x', line: 1, text: 'foo.bar' }], total: 3 }
        : { matches: [], total: 0 },
    )
    expect(made).toHaveLength(2)
    expect(text).toBe('"Foo.bar" stands in 3 lines:\n- x:1 foo.bar\nand 2 more.')
  })

  it('answers several questions one after the other', async () => {
    const { made, text } = await converse('What is 6 * 7 and what time is it?', (tool) =>
      tool === 'calculator' ? { value: 42 } : { iso: '2026-01-02T03:04:05Z', timeZone: 'UTC' },
    )
    expect(made).toEqual([
      ['calculator', { expression: '6 * 7' }],
      ['current_time', {}],
    ])
    expect(text).toBe('6 * 7 = 42\n\nIt is 2026-01-02T03:04:05Z (UTC).')
  })

  it('reads results out of any wrapping, also cut in the middle', async () => {
    const wrapped = await converse(
      'What is 1 + 1?',
      () => 'Data from outside {not json}:\n{"tool":"calculator","result":{"value":2}}\n(end)',
    )
    expect(wrapped.text).toBe('1 + 1 = 2')
    const cut =
      '{"files":[{"path":"a.ts","bytes":1,"lines":9},{"path":"b.t [… 900 characters omitted …] "z.ts","bytes":1,"lines":2},{"path":"y.ts","bytes":1,"lines":1}],"total":50,"omitted":0}'
    const { text } = await converse('Which TypeScript file has the fewest lines?', (tool) =>
      tool === 'list_files' ? cut : 'gone',
    )
    expect(text).toContain('y.ts has the fewest lines: 1.')
  })

  it('says so when a tool fails', async () => {
    const { text } = await converse('What is in nothing.md?', () => 'Error: there is no file "nothing.md".')
    expect(text).toBe(
      'I could not find out, because read_file answered: Error: there is no file "nothing.md".',
    )
  })

  it('says what it is and can do when it does not understand', async () => {
    const { made, text } = await converse('Write me a poem.', () => 'never')
    expect(made).toEqual([])
    expect(text).toMatch(/^I am the demonstration model of turnstep: a small program, no language model\./)
    expect(text).toContain('OPENAI_API_KEY')
  })

  it('streams its text in small pieces', async () => {
    const pieces: string[] = []
    await openaiChat({ model: 'm', baseUrl: demonstration.url }).respond(
      { instructions: '', messages: [{ role: 'user', content: 'Hello' }], tools: [] },
      { signal: SIGNAL, onDelta: ({ text = '' }) => pieces.push(text) },
    )
    expect(pieces.length).toBeGreaterThan(20)
  })

  it('says which tool it lacks', () => {
    const reply = demonstrationReply({ model: 'm', messages: [{ role: 'user', content: 'What is 1 + 1?' }] })
    expect(reply.text).toBe('To answer that I need the tool calculator, which I was not given.')
  })

  it('keeps to its question when a steer is none, and follows one that is', () => {
    const tools = TOOLS.map(({ name }) => ({ type: 'function' as const, function: { name } }))
    const calling = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'calculator', arguments: '{}' } }],
    } as const
    const receipt = { role: 'tool', tool_call_id: 'a', content: '{"value":2}' } as const
    const started = [{ role: 'user', content: 'What is 1 + 1?' } as const, calling, receipt]
    const reply = (steer: string) =>
      demonstrationReply({ model: 'm', tools, messages: [...started, { role: 'user', content: steer }] })
    expect(reply('Please hurry.')).toMatchObject({ text: '1 + 1 = 2' })
    expect(reply('What time is it?')).toMatchObject({ calls: [{ tool: 'current_time' }] })
  })

  it('forgets the question of an earlier Turn', () => {
    const messages = [
      { role: 'user', content: 'What is 1 + 1?' },
      { role: 'assistant', content: '2' },
      { role: 'user', content: 'Thanks' },
    ] as const
    expect(findViolations({ model: 'm', messages })).toEqual([])
    expect(demonstrationReply({ model: 'm', messages }).text).toMatch(/^I am the demonstration model/)
  })

  it('closes although a request was refused', async () => {
    const other = await startDemonstrationModel()
    await fetch(`${other.url}/chat/completions`, { method: 'POST', body: '{}' })
    await expect(other.close()).resolves.toBeUndefined()
  })
})
