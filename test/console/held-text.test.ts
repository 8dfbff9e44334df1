import { describe, expect, it } from 'vitest'
import { scriptByConversation } from '../../src/testing/script-by-conversation.ts'
import { say } from '../../src/testing/scripted-answer.ts'
import { consoleWorld } from './support/console-world.ts'
import { begin, untilTurn } from './support/talk.ts'

const respond = scriptByConversation({
  'Promise me': [say('You get **all** your money back.\n\n[x]: # "unseen"')],
  'Tell me': [say('It costs 5.')],
})
const world = consoleWorld({
  respond,
  guardrails: {
    output: [
      {
        name: 'promises',
        judge: () => ({ verdict: 'hold', reason: 'It may promise something.' }),
      },
    ],
  },
})

describe('an answer that a guardrail holds', () => {
  it('can be changed before anybody sees it', async () => {
    const { page } = await world.openPage()
    await begin(page, 'Promise me')
    const held = page.getByRole('region', { name: 'An answer is held for you to judge' })
    await held.getByText('It may promise something.').waitFor()
    expect(await held.locator('.held-text').textContent()).toContain(
      'You get **all** your money back.\n\n[x]: # "unseen"',
    )
    expect(await page.locator('.step .prose').count()).toBe(0)
    await held.getByRole('button', { name: 'Edit …' }).click()
    await held.getByLabel('What is shown instead').fill('You get some of it back.')
    await held.getByRole('button', { name: 'Approve this text' }).click()
    await untilTurn(page, 1, 'completed')
    await page.locator('.step .prose').getByText('You get some of it back.').waitFor()
  })

  it('can be let through as it is', async () => {
    const { page } = await world.openPage()
    await begin(page, 'Tell me')
    const held = page.getByRole('region', { name: 'An answer is held for you to judge' })
    await held.getByRole('button', { name: 'Approve', exact: true }).click()
    await untilTurn(page, 1, 'completed')
    await page.locator('.step .prose').getByText('It costs 5.').waitFor()
  })
})
