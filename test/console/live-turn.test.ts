import { describe, expect, it } from 'vitest'
import { gate } from '../../src/testing/gate.ts'
import { scriptByConversation } from '../../src/testing/script-by-conversation.ts'
import { holdAfter, say } from '../../src/testing/scripted-answer.ts'
import { consoleWorld } from './support/console-world.ts'

const held = gate()
const respond = scriptByConversation({
  'Count to three': [holdAfter(2, held, say(['**One**, ', 'two ', 'and three.']))],
})
const world = consoleWorld({ respond })

describe('a Turn in the console', () => {
  it('is shown as it is written', async () => {
    const { page, complaints } = await world.openPage()
    await page.getByRole('button', { name: 'New session' }).click()
    await page.getByLabel('Message to the agent').fill('Count to three')
    await page.keyboard.press('Enter')
    const live = page.getByTestId('live')
    await live.getByText('two').waitFor()
    expect(await live.textContent()).toBe('One, two')
    held.open()
    await page.getByText('One, two and three.').waitFor()
    await page.locator('.turn-head').getByText('completed').waitFor()
    expect(await live.count()).toBe(0)
    const session = world.sessionOf(page)
    const start = (await world.world.log(session)).find((event) => event.type === 'turn/start')
    const link = page.getByRole('link', { name: 'Turn 1 in Temporal’s UI' })
    expect(await link.getAttribute('href')).toBe(
      `http://localhost:8233/namespaces/default/workflows/turnstep%3Adefault%3A${session}/${start?.runId}/history`,
    )
    expect(complaints).toEqual([])
  })
})
