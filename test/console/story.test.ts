import { mkdtempSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { gate } from '../../src/testing/gate.ts'
import { scriptByConversation } from '../../src/testing/script-by-conversation.ts'
import { holdAfter, say } from '../../src/testing/scripted-answer.ts'
import { writeFile as writeFileTool } from '../../src/tools/builtin/write-file.ts'
import { defineTool } from '../../src/tools/index.ts'
import { eventually } from '../support/eventually.ts'
import { consoleWorld } from './support/console-world.ts'
import { begin, untilPhase, untilTurn, write } from './support/talk.ts'

/** The pictures of README.md and docs/console.md are written anew when this asks for it; else the tree stays as it is. */
const arePicturesWanted = process.env['TURNSTEP_PICTURES'] === '1'
const PICTURES = fileURLToPath(new URL('../../docs/images/', import.meta.url))

const NOTES = `# Release notes

## 2.0

- \`serve\` answers HTTP.
- The store moved to SQLite.
- Retries are counted by kind.
`
const NEW_NOTES = `# Release notes

## 2.0

- \`serve\` answers HTTP, and shows a console.
- The store moved to SQLite.
- Retries are counted by kind.
- A running turn can be steered.
`
const LOG = Array.from({ length: 4_000 }, (_, index) =>
  index === 2_711
    ? 'warning: 3 changes since the last tag are not in the notes'
    : `[build] module ${String(index + 1).padStart(4, '0')} compiled`,
).join('\n')

const folder = mkdtempSync(join(tmpdir(), 'turnstep-console-'))
const searching = gate()
const answering = gate()
const counting = gate()

const respond = scriptByConversation({
  'release notes': [
    {
      text: 'I read the build log first, to see what changed.',
      calls: [{ tool: 'read_build_log', arguments: { build: 'latest' } }],
    },
    {
      text: 'The log warns of **3 changes** that the notes lack. I look them up.',
      calls: [{ tool: 'search_changes', arguments: { since: 'v1.9', state: 'merged' } }],
    },
    {
      text: 'Two of them matter to users. I add them, and keep it short.',
      calls: [{ tool: 'write_file', arguments: { path: 'NOTES.md', content: NEW_NOTES, mode: 'replace' } }],
    },
    holdAfter(
      3,
      answering,
      say(
        [
          'The notes are up to date:\n\n',
          '- `serve` **shows a console**\n',
          '- a running turn can be **steered**\n\n',
          'The third change is internal, so I left it out. ',
          'See https://example.com/changes or [the list](https://example.com/list).',
        ],
        { usage: { inputTokens: 3_120, outputTokens: 96 } },
      ),
    ),
    holdAfter(2, counting, say(['One, ', 'two, ', 'three.'])),
  ],
})

const buildLog = defineTool({
  name: 'read_build_log',
  description: 'Reads the log of a build.',
  input: z.object({ build: z.string() }),
  effect: 'read',
  run: () => LOG,
})
const searchChanges = defineTool({
  name: 'search_changes',
  description: 'Searches merged changes.',
  input: z.object({ since: z.string(), state: z.string() }),
  effect: 'read',
  timeoutMs: 60_000,
  run: async () => {
    await searching.opened
    return ['#41 console', '#42 steering', '#43 internal']
  },
})

const world = consoleWorld({
  respond,
  tools: [buildLog, searchChanges, writeFileTool({ root: folder })],
  limits: { spillBytes: 50_000 },
  agents: [
    {
      name: 'editor',
      limits: { spillBytes: 50_000, maxSteps: 8, maxCostMicroUsd: 500_000 },
      price: { inputUsdPerMillion: 2.5, outputUsdPerMillion: 10 },
    },
  ],
})

beforeAll(() => writeFile(join(folder, 'NOTES.md'), NOTES))
afterAll(() => rm(folder, { recursive: true, force: true }))

async function picture(page: Page, name: string, colorScheme: 'light' | 'dark' = 'light'): Promise<void> {
  if (!arePicturesWanted) return
  await mkdir(PICTURES, { recursive: true })
  await page.emulateMedia({ colorScheme })
  await page.screenshot({ path: join(PICTURES, `console-${name}.png`) })
  await page.emulateMedia({ colorScheme: 'light' })
}

describe('the console', () => {
  it('takes people through a whole story', async () => {
    const { page, context, complaints } = await world.openPage()

    // Send; a tool's large output can be opened by lines and searched.
    await begin(page, 'Bring the release notes up to date.', 'editor')
    await untilPhase(page, 'tool_executing')
    await page.getByText('read_build_log').click()
    await page.getByRole('button', { name: 'Open the whole output (4000 lines, ' }).click()
    const spill = page.getByRole('dialog', { name: 'Whole output' })
    await spill.getByText('lines 1 to 200 of 4000').waitFor()
    await spill.getByRole('button', { name: 'Later' }).click()
    await spill.getByText('[build] module 0201 compiled').waitFor()
    await spill.getByLabel('Search by regular expression').fill('^warning: \\d changes')
    await spill.getByRole('button', { name: 'Search' }).click()
    await spill.getByText('1 match').waitFor()
    await spill.getByRole('button', { name: 'warning: 3 changes' }).click()
    await spill.getByText('lines 2709 to 2908 of 4000').waitFor()
    await page.keyboard.press('Escape')
    await spill.waitFor({ state: 'hidden' })
    await page.getByText('read_build_log').click()

    // Steer while a tool runs: it waits in the queue, then joins the next Step.
    await write(page, 'Keep it short.')
    const queue = page.getByRole('region', { name: 'Queued inputs' })
    await queue.getByText('waits, joins the next Step').waitFor()
    searching.open()
    await page.getByText('↪ steered').waitFor()
    await queue.waitFor({ state: 'detached' })

    // Approve, with the diff before one's eyes.
    const approval = page.getByRole('region', { name: 'write_file would change NOTES.md' })
    await approval.getByText('added: - A running turn can be steered.').waitFor()
    await approval.getByText('removed: - `serve` answers HTTP.').waitFor()
    await untilPhase(page, 'waiting_human')
    await picture(page, 'approval')
    expect(await readFile(join(folder, 'NOTES.md'), 'utf8')).toBe(NOTES)
    await approval.getByRole('button', { name: 'Approve', exact: true }).click()

    // The answer streams; a reload in the middle loses nothing, and a second tab shows the same.
    const live = page.getByTestId('live')
    await live.getByText('steered').waitFor()
    expect(await readFile(join(folder, 'NOTES.md'), 'utf8')).toBe(NEW_NOTES)
    await page.reload()
    await live.getByText('steered').waitFor()
    expect(await live.textContent()).toContain('The notes are up to date:')
    const other = await context.newPage()
    await other.goto(page.url())
    await other.getByTestId('live').getByText('steered').waitFor()
    await page.bringToFront()

    // What one tab queues, the other takes back.
    await write(page, 'Then translate them.', 'Control+Enter')
    await queue.getByText('waits, opens the next Turn').waitFor()
    await other.getByText('Then translate them.').waitFor()
    await picture(page, 'live', 'dark')
    await other.getByRole('button', { name: 'Withdraw' }).click()
    await page.getByText('withdrawn, no model saw it').waitFor()
    await queue.waitFor({ state: 'detached' })
    answering.open()
    await untilTurn(page, 1, 'completed')
    await untilTurn(other, 1, 'completed')
    const shown = (tab: Page) => tab.locator('#turn-1 .turn-body').textContent()
    await eventually(async () => (await shown(page)) === (await shown(other)))
    await page.locator('#turn-1 .usage > summary').click()
    await page.getByRole('row', { name: '4 3120 96 $0.00876' }).waitFor()

    // Stop: what was shown stays, and control comes back with what was done.
    await write(page, 'Count the words.')
    await page.getByTestId('live').getByText('two').waitFor()
    await page.getByRole('button', { name: '■ Stop' }).click()
    await untilTurn(page, 2, 'stopped')
    await page.getByRole('region', { name: 'Hand-back' }).getByText('Said: One, two').waitFor()
    await page.getByText('This message was interrupted here.').waitFor()
    await untilTurn(other, 2, 'stopped')

    const log = await world.world.settledLog(world.sessionOf(page))
    expect(log.flatMap((event) => (event.type === 'turn/end' ? [event.reason] : []))).toEqual([
      'completed',
      'aborted',
    ])
    expect(complaints).toEqual([])
  })
})
