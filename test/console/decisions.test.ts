import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { gate } from '../../src/testing/gate.ts'
import { scriptByConversation } from '../../src/testing/script-by-conversation.ts'
import { callTools, holdAfter, say } from '../../src/testing/scripted-answer.ts'
import { defineTool } from '../../src/tools/index.ts'
import { eventually } from '../support/eventually.ts'
import { consoleWorld } from './support/console-world.ts'
import { begin, untilPhase, untilTurn, write } from './support/talk.ts'

const SEND = { tool: 'send', arguments: { to: 'all', text: 'hello' } }
const talking = gate()

const respond = scriptByConversation({
  'Edit it': [callTools(SEND), say('Sent.')],
  'Deny it': [callTools(SEND), say('Not sent.')],
  'Plan anew': [callTools(SEND), say('Another plan.')],
  'Trust it': [
    callTools(SEND),
    callTools({ ...SEND, arguments: { to: 'all', text: 'again' } }),
    say('Sent twice.'),
  ],
  'Race it': [callTools(SEND), say('Sent.')],
  'Locate me': [callTools({ tool: 'location', arguments: { precise: true } }), say('You are here.')],
  'Stop and go on': [holdAfter(1, talking, say(['I begin, ', 'and end.'])), say('The next one.')],
  'Hurry up': [callTools(SEND)],
  'Finish the step': [holdAfter(1, talking, callTools(SEND))],
})
const ran: unknown[] = []
const send = defineTool({
  name: 'send',
  description: 'Sends.',
  input: z.object({ to: z.string(), text: z.string() }),
  risk: 'high',
  run: (args) => {
    ran.push(args)
    return 'sent'
  },
})
const location = defineTool({
  name: 'location',
  description: 'Where the user is.',
  input: z.object({ precise: z.boolean() }),
  execution: 'client',
  timeoutMs: 60_000,
})
const world = consoleWorld({ respond, tools: [send, location] })

async function open(text: string) {
  const { page, context, complaints } = await world.openPage()
  await begin(page, text)
  const approval = page.getByRole('region', { name: 'send waits for your approval' })
  return { page, context, approval, complaints }
}

describe('a call that waits for approval', () => {
  it('can be approved with other arguments', async () => {
    const { page, approval } = await open('Edit it')
    await approval.getByRole('button', { name: 'Edit …' }).click()
    const field = approval.getByLabel('Arguments that run instead, as JSON')
    expect(await field.inputValue()).toBe('{\n  "text": "hello",\n  "to": "all"\n}')
    await field.fill('{ "text": ')
    await approval.getByText('This is not a JSON object.').waitFor()
    expect(await approval.getByRole('button', { name: 'Approve with these arguments' }).isDisabled()).toBe(
      true,
    )
    await field.fill('{ "text": "hello", "to": "one" }')
    await approval.getByRole('button', { name: 'Approve with these arguments' }).click()
    await untilTurn(page, 1, 'completed')
    expect(ran).toContainEqual({ text: 'hello', to: 'one' })
    await page.locator('.call > summary').click()
    await page.getByText('Approved with other arguments by user').waitFor()
  })

  it('can be denied, with a word for the model', async () => {
    const { page, approval } = await open('Deny it')
    await approval.getByText('"hello"').waitFor()
    await approval.getByText('expires in').waitFor()
    await approval.getByRole('button', { name: 'Deny …' }).click()
    await approval.getByLabel('Why, for the model').fill('Not at night.')
    await approval.getByRole('button', { name: 'Deny', exact: true }).click()
    await untilTurn(page, 1, 'completed')
    await page.locator('.call > summary').getByText('denied').waitFor()
    await page.locator('.call > summary').click()
    await page.getByText('Denied by user: Not at night.').waitFor()
  })

  it('can be answered with the wish for a new plan', async () => {
    const { page, approval } = await open('Plan anew')
    await approval.getByRole('button', { name: 'Replan …' }).click()
    await approval.getByLabel('What the new plan should heed').fill('Write a draft first.')
    await approval.getByRole('button', { name: 'Ask for a new plan' }).click()
    await untilTurn(page, 1, 'completed')
    await page.getByText('A new plan was asked for').waitFor()
  })

  it('can be approved for the rest of the session', async () => {
    const { page, approval } = await open('Trust it')
    await approval.getByRole('button', { name: 'Approve for the session' }).click()
    await untilTurn(page, 1, 'completed')
    expect(await page.locator('.call > summary').getByText('ok').count()).toBe(2)
  })

  it('is decided once: who comes second is told', async () => {
    const { page, context, approval } = await open('Race it')
    await approval.waitFor()
    await context.route('**/approvals/**', async (route) => {
      const session = world.world.client.session(world.sessionOf(page))
      await session.decide('c1_1_0', { decision: 'deny', by: 'another' })
      await route.continue()
    })
    await approval.getByRole('button', { name: 'Approve', exact: true }).click()
    await untilTurn(page, 1, 'completed')
    await page.locator('.call > summary').getByText('denied').waitFor()
    await page.getByRole('alert').getByText('Call c1_1_0 was decided before: deny, by another.').waitFor()
  })
})

describe('a call that the client runs', () => {
  it('is shown until the client has answered', async () => {
    const { page } = await open('Locate me')
    await page
      .getByRole('region', { name: 'Call of location for the client' })
      .getByText('"precise": true')
      .waitFor()
    await untilPhase(page, 'waiting_human')
    const session = world.world.client.session(world.sessionOf(page))
    await session.answer('c1_1_0', { content: 'Here.' })
    await untilTurn(page, 1, 'completed')
    await page.locator('.call > summary').getByText('ok').waitFor()
  })
})

describe('stopping', () => {
  it('can run what is queued', async () => {
    const { page } = await open('Stop and go on')
    await page.getByTestId('live').getByText('I begin,').waitFor()
    await write(page, 'The next, please.', 'Control+Enter')
    await page.getByText('waits, opens the next Turn').waitFor()
    await page.getByRole('button', { name: 'Stop and run queue' }).click()
    await untilTurn(page, 1, 'stopped')
    await untilTurn(page, 2, 'completed')
    await page.getByText('The next one.').waitFor()
  })

  it('can wait for the end of the Step', async () => {
    const { page } = await open('Finish the step')
    await untilPhase(page, 'thinking')
    await eventually(async () => (await page.locator('.step').count()) === 1)
    await page.getByRole('button', { name: 'Stop after this Step' }).click()
    talking.open()
    await page
      .getByRole('region', { name: 'send waits for your approval' })
      .getByRole('button', { name: 'Approve', exact: true })
      .click()
    await untilTurn(page, 1, 'stopped')
    await page.locator('.call > summary').getByText('ok').waitFor()
  })

  it('can be hurried while it waits for the end of the Step', async () => {
    const { page, approval } = await open('Hurry up')
    await approval.waitFor()
    await page.getByRole('button', { name: 'Stop after this Step' }).click()
    await page.getByText('Stopping …').waitFor()
    await page.getByRole('button', { name: '■ Stop' }).click()
    await untilTurn(page, 1, 'stopped')
    await page.locator('.call > summary').getByText('not started').waitFor()
  })
})
