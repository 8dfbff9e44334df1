import { describe, expect, it } from 'vitest'
import { SCOPES } from '../../src/core/access.ts'
import { authenticateByBearer } from '../../src/gateway/auth/bearer.ts'
import { scriptByConversation } from '../../src/testing/script-by-conversation.ts'
import { say } from '../../src/testing/scripted-answer.ts'
import { consoleWorld } from './support/console-world.ts'
import { begin, untilTurn } from './support/talk.ts'

const respond = scriptByConversation({ 'Who am I?': [say('Somebody with a key.')] })
const KEY = 'ts_key-of-this-test'

describe('a gateway that asks for keys', () => {
  const world = consoleWorld(
    { respond },
    authenticateByBearer([
      (token) =>
        Promise.resolve(
          token === KEY ? { tenant: 'default', name: 'ada', scopes: new Set(SCOPES) } : undefined,
        ),
    ]),
  )

  it('lets a page in that has one, also after a reload', async () => {
    const { page } = await world.openForeignPage('/')
    await page.getByText('Say who you are').waitFor()
    await page.getByLabel('API key or token').fill('another-key')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('This key or token is not valid here').waitFor()
    await page.getByLabel('API key or token').fill(KEY)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('No session yet.').waitFor()
    await begin(page, 'Who am I?')
    await untilTurn(page, 1, 'completed')
    await page.reload()
    await page.getByText('Somebody with a key.').waitFor()
    expect(await page.getByLabel('API key or token').count()).toBe(0)
  })
})

describe('a gateway in local mode', () => {
  const world = consoleWorld({ respond })

  it('tells a page without its cookie how the console is opened', async () => {
    const { page } = await world.openForeignPage('/sessions/main')
    await page.getByRole('form', { name: 'Sign in' }).getByText('Open the console by the link').waitFor()
    expect(await page.getByLabel('API key or token').count()).toBe(0)
  })

  it('sets the cookie by the link, and takes the token out of the address', async () => {
    const { page, context } = await world.openPage('/')
    await page.getByRole('button', { name: 'New session' }).waitFor()
    expect(page.url()).toBe(`${world.url}/`)
    expect(await context.cookies()).toMatchObject([{ httpOnly: true, sameSite: 'Strict' }])
  })
})
