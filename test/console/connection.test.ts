import { describe, expect, it } from 'vitest'
import { gate } from '../../src/testing/gate.ts'
import { scriptByConversation } from '../../src/testing/script-by-conversation.ts'
import { cutAfter, holdAfter, say } from '../../src/testing/scripted-answer.ts'
import { standardEvents } from '../core/sample-log.ts'
import { consoleWorld } from './support/console-world.ts'
import { begin, untilTurn, write } from './support/talk.ts'

const [away, again] = [gate(), gate()]
const respond = scriptByConversation({
  'Go on without me': [holdAfter(2, away, say(['One, ', 'two, ', 'three.']))],
  'Try again': [
    cutAfter(2, say(['This is ', 'void ', 'text.'])),
    holdAfter(1, again, say(['This ', 'counts.'])),
  ],
  'Out of nothing': [say('Here I am.')],
  'Keep it': [say('It came.')],
})
const world = consoleWorld({ respond })

describe('a page whose gateway goes away', () => {
  it('says so, and loses nothing once it is back', async () => {
    const { page } = await world.openPage()
    await begin(page, 'Go on without me')
    await page.getByTestId('live').getByText('two').waitFor()
    await world.stopGateway()
    await page.getByText('Not connected: The gateway cannot be reached.').waitFor()
    expect(await page.getByTestId('live').textContent()).toBe('One, two,')
    away.open()
    await world.world.client.session(world.sessionOf(page)).whenIdle({ timeoutMs: 20_000 })
    await world.startGateway()
    await untilTurn(page, 1, 'completed')
    await page.getByText('One, two, three.').waitFor()
    expect(await page.getByText('Not connected').count()).toBe(0)
    expect(await page.locator('.step').count()).toBe(1)
  })

  it('keeps a message that could not be sent, and sends it when it is asked to', async () => {
    const { page } = await world.openPage()
    await page.getByRole('button', { name: 'New session' }).click()
    await page.getByText('Nothing was said yet.').waitFor()
    await world.stopGateway()
    await write(page, 'Keep it')
    await page.getByText('not sent, opens the next Turn').waitFor()
    await page.getByRole('alert').getByText('Check that turnstep still runs.').first().waitFor()
    await world.startGateway()
    await page.getByRole('button', { name: 'Send again' }).click()
    await untilTurn(page, 1, 'completed')
    expect(await page.locator('.queued').count()).toBe(0)
  })
})

describe('an answer that starts over', () => {
  it('is shown from its new beginning', async () => {
    const { page } = await world.openPage()
    await begin(page, 'Try again')
    await page.getByTestId('live').getByText('This').waitFor()
    again.open()
    await untilTurn(page, 1, 'completed')
    expect(await page.locator('.step .prose').allTextContents()).toEqual(['This counts.'])
    await page.getByText('Model attempt 1 was lost: the provider failed.').waitFor()
  })
})

describe('a session that is not there', () => {
  it('is begun by the first message', async () => {
    const { page } = await world.openPage('/sessions/brand-new')
    await page.getByText('There is no such session yet.').waitFor()
    await write(page, 'Out of nothing')
    await untilTurn(page, 1, 'completed')
    await page.getByText('Here I am.').waitFor()
  })
})

describe('a long session', () => {
  it('opens at its end, and shows earlier Turns when they are asked for', async () => {
    const id = world.world.newSessionId()
    const key = { tenant: 'default', session: id }
    await world.world.store.createSession({ key })
    for (let turn = 1; turn <= 250; turn += 1) {
      const append = standardEvents(`u${turn}`, turn)
      await world.world.store.commit({ ...key }, { keys: [], decide: () => ({ append, answer: undefined }) })
    }
    const { page, complaints } = await world.openPage(`/sessions/${id}`)
    await untilTurn(page, 250, 'completed')
    expect(await page.locator('.turn').count()).toBe(20)
    expect(await page.locator('.turn[open]').count()).toBe(2)
    await page.getByRole('button', { name: 'Show 20 earlier Turns of 230' }).click()
    await page.locator('#turn-211 > summary').click()
    await page.locator('#turn-211').getByText('It is four.').waitFor()
    expect(complaints).toEqual([])
  })
})
