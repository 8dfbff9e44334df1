import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startDemonstrationModel } from '../../src/cli/demonstration-model.ts'
import type { Message } from '../../src/core/message.ts'
import type { ToolHost } from '../../src/core/ports.ts'
import { renderResult } from '../../src/core/render-result.ts'
import { openaiChat } from '../../src/model/openai-chat.ts'
import { calculator, createToolHost, currentTime, folderTools } from '../../src/tools/index.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { toolContext } from '../tools/tool-context.ts'

/** What the tool says, as the model is told it. */
async function receiptOf(tools: ToolHost, tool: string, argumentsText: string): Promise<string> {
  const validation = await tools.validate(tool, JSON.parse(argumentsText))
  if (validation.kind === 'invalid') throw new Error(validation.problem)
  const rendered = renderResult(await tools.run(tool, validation.args, toolContext()))
  return rendered.kind === 'text' ? rendered.text : rendered.problem
}

/** Asks a question about a folder; the answer, and how many Steps it took. */
async function askAbout(
  root: string,
  ask: string,
): Promise<{ readonly text: string; readonly steps: number }> {
  const demonstration = await startDemonstrationModel()
  onTestFinished(() => demonstration.close())
  const model = openaiChat({ model: 'turnstep-demonstration', baseUrl: demonstration.url })
  const tools = createToolHost([...folderTools({ root }), calculator, currentTime])
  const messages: Message[] = [{ role: 'user', content: ask }]
  for (let steps = 1; ; steps += 1) {
    const request = { instructions: 'Be brief.', messages, tools: tools.describe() }
    const { text, calls } = await model.respond(request, {
      signal: toolContext().signal,
      onDelta: () => undefined,
    })
    if (calls.length === 0) return { text, steps }
    const stored = calls.map(({ tool, argumentsText }, index) => ({
      callId: `c${steps}_${index}`,
      tool,
      arguments: argumentsText,
    }))
    messages.push({ role: 'assistant', text, calls: stored })
    for (const call of stored) {
      const content = await receiptOf(tools, call.tool, call.arguments)
      messages.push({ role: 'tool', callId: call.callId, kind: 'ok', isError: false, content })
    }
  }
}

async function write(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
}

describe('the demonstration model with the real tools, on a folder made at random', () => {
  const name = fc.stringMatching(/^[a-z]{1,6}(\/[a-z]{1,6})?$/)
  const lines = fc.uniqueArray(fc.integer({ min: 1, max: 300 }), { minLength: 2, maxLength: 8 })

  it('names the TypeScript file with the most lines and the one with the fewest', async () => {
    await fc.assert(
      fc.asyncProperty(lines, fc.infiniteStream(name), async (counts, names) => {
        const root = await temporaryFolder()
        const paths = counts.map((_, index) => `${names.next().value}${index}.ts`)
        await write(
          root,
          Object.fromEntries(
            paths.map((path, index) => [path, `const line = 1\n`.repeat(counts[index] ?? 0)]),
          ),
        )
        await write(root, { 'longer.md': 'x\n'.repeat(1_000), 'longer.tsx': 'x\n'.repeat(1_000) })
        const most = Math.max(...counts)
        const fewest = Math.min(...counts)

        expect(await askAbout(root, 'Which TypeScript file here has the most lines?')).toEqual({
          text: `Of the ${counts.length} .ts files here, ${paths[counts.indexOf(most)]} has the most lines: ${most}. It begins with: const line = 1`,
          steps: 3,
        })
        const { text } = await askAbout(root, 'Which TypeScript file has the fewest lines?')
        expect(text).toContain(`${paths[counts.indexOf(fewest)]} has the fewest lines: ${fewest}.`)
      }),
      { numRuns: 8 },
    )
  })

  it('answers the other questions that it says it understands', async () => {
    const root = await temporaryFolder()
    await write(root, {
      'package.json': '{\n  "main": "x"\n}\n',
      'docs/a.md': 'the main part\n',
      'b.md': 'nothing\n',
    })
    const answers = [
      ['How many Markdown files are there?', 'There are 2 .md files here.'],
      ['What is in package.json?', 'package.json has 3 lines:\n\n{\n  "main": "x"\n}'],
      [
        'Where is "main" used?',
        '"main" stands in 2 lines:\n- docs/a.md:1 the main part\n- package.json:2 "main": "x"',
      ],
      ['What is 12 * (3 + 4)?', '12 * (3 + 4) = 84'],
      ['How many files are in docs?', 'There is 1 file in docs.'],
    ] as const
    for (const [ask, answer] of answers) expect((await askAbout(root, ask)).text).toBe(answer)
    expect((await askAbout(root, 'What time is it in Tokyo?')).text).toMatch(
      /^It is \d{4}-.*\+09:00 \(Asia\/Tokyo\)\.$/,
    )
  })
})
