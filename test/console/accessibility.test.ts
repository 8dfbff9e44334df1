import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { scriptByConversation } from '../../src/testing/script-by-conversation.ts'
import { callTools, say } from '../../src/testing/scripted-answer.ts'
import { defineTool } from '../../src/tools/index.ts'
import { consoleWorld } from './support/console-world.ts'
import { begin, untilPhase, untilTurn, write } from './support/talk.ts'

const LONG = `${'word '.repeat(60)}${'x'.repeat(400)}`
const story = [
  {
    text: `A list:\n\n1. one\n2. two\n\n\`\`\`\n${'code '.repeat(60)}\n\`\`\`\n\n> quoted ${LONG}\n\n| a | b |\n| :-- | --: |\n| ${LONG} | **2** |`,
    reasoning: 'I think.',
    calls: [
      { tool: 'look', arguments: { where: LONG } },
      { tool: 'send', arguments: { to: 'someone', text: LONG } },
    ],
  },
  say('Sent. See https://example.com/ or [this](https://example.com/a/very/long/address/that/does/not/end).'),
]
const respond = scriptByConversation({
  'Light please': story,
  'Dark please': story,
  'Small please': story,
  'Keys please': [callTools({ tool: 'send', arguments: { to: 'someone', text: 'hi' } }), say('Sent.')],
})
const tools = [
  defineTool({
    name: 'look',
    description: 'Looks.',
    input: z.object({ where: z.string() }),
    effect: 'read',
    run: () => 'line\n'.repeat(20_000),
  }),
  defineTool({
    name: 'send',
    description: 'Sends.',
    input: z.object({ to: z.string(), text: z.string() }),
    risk: 'high',
    run: () => 'sent',
  }),
]
const world = consoleWorld({ respond, tools, limits: { spillBytes: 50_000 } })

/** What axe finds fault with, a line each. */
async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  const { violations: found } = (await page.evaluate('axe.run(document)')) as axe.AxeResults
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`),
  )
}

async function isWiderThanWindow(page: Page): Promise<unknown> {
  return page.evaluate(
    "[...document.querySelectorAll('*')].filter((e) => e.getBoundingClientRect().right > window.innerWidth + 1 && e.closest('.code, .diff-lines, pre, .table, .prose-table, .unseen, .call-arguments, .turn-excerpt') === null).map((e) => e.className || e.tagName)",
  )
}

describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
  it('has nothing that axe finds fault with', async () => {
    const { page } = await world.openPage('/', { colorScheme })
    await page.getByRole('button', { name: 'New session' }).waitFor()
    expect(await violations(page)).toEqual([])
    await begin(page, `${colorScheme === 'light' ? 'Light' : 'Dark'} please`)
    await untilPhase(page, 'waiting_human')
    await page.getByText('Reasoning').click()
    for (const call of await page.locator('.call > summary').all()) await call.click()
    await page.getByRole('button', { name: 'Edit …' }).click()
    await write(page, 'And then?', 'Control+Enter')
    await page.getByRole('region', { name: 'Queued inputs' }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Open the whole output' }).click()
    await page.getByText('lines 1 to 200').waitFor()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Keyboard' }).click()
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: '■ Stop' }).click()
    await untilTurn(page, 1, 'stopped')
    await page.locator('.usage > summary').click()
    expect(await violations(page)).toEqual([])
  })
})

describe('on a phone', () => {
  it('shows everything without scrolling sideways', async () => {
    const { page } = await world.openPage('/', { viewport: { width: 360, height: 740 } })
    expect(await isWiderThanWindow(page)).toEqual([])
    await begin(page, 'Small please')
    await untilPhase(page, 'waiting_human')
    for (const call of await page.locator('.call > summary').all()) await call.click()
    await page.getByRole('button', { name: 'Deny …' }).click()
    expect(await isWiderThanWindow(page)).toEqual([])
    expect(await page.evaluate('document.scrollingElement.scrollWidth')).toBe(360)
    await page.getByRole('button', { name: 'Deny', exact: true }).click()
    await untilTurn(page, 1, 'completed')
    expect(await isWiderThanWindow(page)).toEqual([])
    await page.getByRole('link', { name: 'turnstep' }).click()
    await page.getByRole('navigation', { name: 'Sessions' }).waitFor()
    expect(await isWiderThanWindow(page)).toEqual([])
  })
})

describe('with the keyboard alone', () => {
  it('begins, approves, looks around, changes colours and stops', async () => {
    const { page } = await world.openPage()
    const { keyboard } = page
    await page.getByRole('navigation', { name: 'Sessions' }).waitFor()
    await keyboard.press('n')
    await page.getByText('Nothing was said yet.').waitFor()
    await keyboard.press('i')
    await keyboard.type('Keys please')
    await keyboard.press('Enter')
    await page.getByRole('button', { name: 'Approve', exact: true }).waitFor()
    await keyboard.press('Escape')
    await keyboard.press('a')
    expect(await page.evaluate('document.activeElement.getAttribute("aria-labelledby")')).toBe(
      'approval-c1_1_0',
    )
    await keyboard.press('k')
    expect(await page.evaluate('document.activeElement.textContent')).toContain('Tokens per Step')
    await keyboard.press('k')
    expect(await page.evaluate('document.activeElement.textContent')).toContain('send')
    await keyboard.press('o')
    await page.getByRole('heading', { name: 'Arguments' }).waitFor()
    await keyboard.press('o')
    await page.getByRole('heading', { name: 'Arguments' }).waitFor({ state: 'detached' })
    await keyboard.press('a')
    await keyboard.press('Tab')
    await keyboard.press('Tab')
    await keyboard.press('Enter')
    await untilTurn(page, 1, 'completed')
    await keyboard.press('t')
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('light')
    await keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard' })
    await help.getByText('Stop the Turn now').waitFor()
    await keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
    await keyboard.press('i')
    await keyboard.type('? a S E')
    expect(await page.getByLabel('Message to the agent').inputValue()).toBe('? a S E')
  })

  it('does without shortcuts of one letter where they are switched off', async () => {
    const { page } = await world.openPage()
    await page.getByRole('navigation', { name: 'Sessions' }).waitFor()
    await page.keyboard.press('?')
    await page.getByLabel('Shortcuts of one letter are on').uncheck()
    await page.keyboard.press('Escape')
    await page.keyboard.press('t')
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('system')
  })
})
