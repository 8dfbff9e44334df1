import { describe, expect, it } from 'vitest'
import { defineAgent } from '../../../src/define-agent.ts'
import { openaiChat } from '../../../src/model/openai-chat.ts'
import { createToolHost, defineTool, spillTools } from '../../../src/tools/index.ts'
import { MemorySpills } from '../../support/memory-spills.ts'
import { toolContext } from '../tool-context.ts'

const host = createToolHost(spillTools)

async function ask(spills: MemorySpills, tool: string, args: Readonly<Record<string, unknown>>) {
  const validation = await host.validate(tool, args)
  if (validation.kind === 'invalid') throw new Error(validation.problem)
  return host.run(tool, validation.args, { ...toolContext(), spills })
}

const LINES = Array.from({ length: 1_000 }, (_, index) => `line ${index + 1}\n`)

describe('read_spill', () => {
  it('reads lines, and says where to go on', async () => {
    const spills = new MemorySpills()
    const spill = spills.keep(LINES)
    expect(await ask(spills, 'read_spill', { spill, from: 998, lines: 2 })).toEqual({
      totalLines: 1_000,
      from: 998,
      text: 'line 998\nline 999',
      nextFrom: 1_000,
    })
    expect(await ask(spills, 'read_spill', { spill, from: 1_000 })).toEqual({
      totalLines: 1_000,
      from: 1_000,
      text: 'line 1000',
    })
  })

  it('reads one very long line part by part', async () => {
    const spills = new MemorySpills()
    const spill = spills.keep(['x'.repeat(100_000), `${'y'.repeat(99_997)}end`])
    const first = await ask(spills, 'read_spill', { spill })
    expect(first).toEqual({
      totalLines: 1,
      from: 1,
      text: 'x'.repeat(13_998),
      nextFrom: 1,
      nextColumn: 13_999,
    })
    expect(await ask(spills, 'read_spill', { spill, from: 1, column: 199_998 })).toEqual({
      totalLines: 1,
      from: 1,
      text: 'end',
    })
  })

  it('answers within what a receipt keeps, also where text takes twice its size as JSON', async () => {
    const spills = new MemorySpills()
    const spill = spills.keep(['"\\'.repeat(50_000)])
    const answer = (await ask(spills, 'read_spill', { spill })) as { readonly nextColumn: number }
    expect(JSON.stringify(answer).length).toBeLessThanOrEqual(16_000)
    expect(answer.nextColumn).toBe(7_000)
  })

  it('tells that a line or a spill is not there', async () => {
    const spills = new MemorySpills()
    const spill = spills.keep(['one line'])
    await expect(ask(spills, 'read_spill', { spill, from: 2 })).rejects.toThrow('The spill has 1 lines.')
    const other = 'f'.repeat(64)
    await expect(ask(spills, 'read_spill', { spill: other })).rejects.toThrow(
      `This session has no spill ${other}.`,
    )
    await expect(ask(spills, 'grep_spill', { spill: other, pattern: 'x' })).rejects.toThrow(
      `This session has no spill ${other}.`,
    )
  })
})

describe('grep_spill', () => {
  it('finds lines, with those around them', async () => {
    const spills = new MemorySpills()
    const spill = spills.keep(LINES)
    expect(await ask(spills, 'grep_spill', { spill, pattern: '^LINE 50$|(?i)LINE 500', context: 1 })).toEqual(
      {
        matches: [{ line: 500, column: 1, text: 'line 500', before: ['line 499'], after: ['line 501'] }],
        total: 1,
      },
    )
  })

  it('returns no more matches than fit, and counts all', async () => {
    const spills = new MemorySpills()
    const spill = spills.keep(Array.from({ length: 5_000 }, () => `${'x'.repeat(150)}\n`))
    const answer = (await ask(spills, 'grep_spill', { spill, pattern: 'x', limit: 200 })) as {
      readonly total: number
    }
    expect(answer.total).toBe(5_000)
    expect(JSON.stringify(answer).length).toBeLessThanOrEqual(16_000)
  })

  it('takes no longer for a pattern that would make others backtrack', async () => {
    const spills = new MemorySpills()
    const spill = spills.keep(['a'.repeat(100_000)])
    expect(await ask(spills, 'grep_spill', { spill, pattern: '^(a+)+$x' })).toEqual({ matches: [], total: 0 })
  })

  it('refuses a pattern that is not RE2', async () => {
    const spills = new MemorySpills()
    const spill = spills.keep(['a'])
    await expect(ask(spills, 'grep_spill', { spill, pattern: '(?=a)' })).rejects.toThrow(
      'The pattern cannot be used',
    )
  })
})

describe('the tools of an agent', () => {
  const model = openaiChat({ model: 'm', baseUrl: 'http://127.0.0.1:1' })
  const tool = (name: string) =>
    defineTool({ name, description: 'Does something.', input: { type: 'object' }, run: () => 'ok' })
  const namesOf = (names: readonly string[]) =>
    defineAgent({ name: 'a', instructions: 'Do.', model, tools: names.map(tool) }).snapshot.tools.map(
      ({ name }) => name,
    )

  it('have those for spills behind them', () => {
    expect(namesOf(['zeta', 'alpha'])).toEqual(['zeta', 'alpha', 'grep_spill', 'read_spill'])
  })

  it('may have others by these names', () => {
    expect(namesOf(['read_spill', 'alpha'])).toEqual(['read_spill', 'alpha', 'grep_spill'])
  })

  it('stay none', () => {
    expect(namesOf([])).toEqual([])
  })
})
