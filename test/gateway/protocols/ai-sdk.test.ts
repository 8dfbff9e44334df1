import { Chat } from '@ai-sdk/react'
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithToolCalls, type UIMessage } from 'ai'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { authenticateLocally } from '../../../src/gateway/auth/local.ts'
import { gate } from '../../../src/testing/gate.ts'
import { callTools, cutAfter, holdAfter, say } from '../../../src/testing/scripted-answer.ts'
import { defineTool } from '../../../src/tools/index.ts'
import type { Conversation } from '../../support/conversations.ts'
import { eventually } from '../../support/eventually.ts'
import { gatewayWorld } from '../support/gateway-world.ts'
import { chatPages } from './support/chat-pages.ts'

const send = defineTool({
  name: 'send',
  description: 'Sends.',
  input: z.object({ to: z.string() }),
  risk: 'high',
  run: ({ to }) => `sent to ${to}`,
})

const readPage = defineTool({
  name: 'read_page',
  description: 'Reads the page that the user sees.',
  input: z.object({}),
  effect: 'read',
  execution: 'client',
  timeoutMs: 60_000,
})

const pages = await chatPages()
const corsOrigins = [pages.origin]
const gateway = gatewayWorld({
  tools: [send, readPage],
  gateway: { corsOrigins, authenticate: authenticateLocally({ token: 'none', corsOrigins }) },
})

async function ask(talk: Conversation): Promise<Page> {
  const page = await pages.open(`${gateway.url}/v1/ai-sdk/chat`, talk.session.id)
  await page.getByLabel('Message').fill(`Hello? [${talk.session.id}]`)
  await page.getByRole('button', { name: 'Send' }).click()
  return page
}

/** What the assistant says on the page, once it says it; fails when it does not in time. */
async function says(page: Page, text: string): Promise<void> {
  await eventually(async () => (await textsOf(page)).join('|') === text).catch(async (error: unknown) => {
    throw new Error(`The page says ${(await textsOf(page)).join('|')}`, { cause: error })
  })
}

async function textsOf(page: Page): Promise<readonly string[]> {
  return page.getByLabel('assistant').locator('p').allTextContents()
}

async function isStatus(page: Page, status: string): Promise<void> {
  await page.getByLabel('Status').filter({ hasText: status }).waitFor()
}

describe('a page with useChat', () => {
  it('sends a message, whose id is the input’s, and shows the answer as it comes', async () => {
    const held = gate()
    const talk = gateway.open(holdAfter(1, held, say(['It is ', 'four.'])))
    const page = await ask(talk)
    await says(page, 'It is ')
    await isStatus(page, 'streaming')
    held.open()
    await says(page, 'It is four.')
    await isStatus(page, 'ready')
    const [start] = await talk.log()
    expect(start).toMatchObject({ type: 'turn/start', turn: 1 })
    expect(start?.turnId).toMatch(/^[A-Za-z0-9]{16}$/)
    await page.close()
  })

  it('goes on where it was after a reload', async () => {
    const held = gate()
    const talk = gateway.open(holdAfter(1, held, say(['It is ', 'four.'])))
    const page = await ask(talk)
    await says(page, 'It is ')
    await page.reload()
    await says(page, 'It is ')
    held.open()
    await says(page, 'It is four.')
    await isStatus(page, 'ready')
    expect(await page.getByRole('article').count()).toBe(2)
    expect((await talk.log()).filter(({ type }) => type === 'turn/start')).toHaveLength(1)
    await page.close()
  })

  it('leaves the turn alone when it closes the stream, and stops it by the stop endpoint', async () => {
    const talk = gateway.open(holdAfter(1, gate(), say(['It is ', 'four.'])))
    const page = await ask(talk)
    await says(page, 'It is ')
    await page.getByRole('button', { name: 'Leave' }).click()
    await isStatus(page, 'ready')
    expect(await talk.session.status()).toMatchObject({ phase: 'running' })
    await page.reload()
    await isStatus(page, 'streaming')
    await page.getByRole('button', { name: 'Stop' }).click()
    await isStatus(page, 'ready')
    await says(page, 'It is ')
    expect((await talk.log()).at(-1)).toMatchObject({ type: 'turn/end', reason: 'aborted' })
    await page.close()
  })

  it.each([
    ['Approve', 'output-available', 'Sent.', 'ok'],
    ['Deny', 'output-denied', 'Then not.', 'denied'],
  ] as const)('asks the user: %s', async (button, state, text, receipt) => {
    const talk = gateway.open(callTools({ tool: 'send', arguments: { to: 'Ann' } }), say(text))
    const page = await ask(talk)
    await page.getByRole('button', { name: button }).click()
    await says(page, text)
    expect(await page.getByLabel('tool-send').locator('code').allTextContents()).toEqual([state])
    expect(await talk.receipts()).toEqual([`c1_1_0 ${receipt}`])
    expect((await talk.log()).find(({ type }) => type === 'approval/decided')).toMatchObject({
      by: 'user',
      note: 'As I said.',
    })
    await page.close()
  })

  it('asks again after a reload', async () => {
    const talk = gateway.open(callTools({ tool: 'send', arguments: { to: 'Ann' } }), say('Sent.'))
    const page = await ask(talk)
    await page.getByRole('button', { name: 'Approve' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Approve' }).click()
    await says(page, 'Sent.')
    expect(await page.getByLabel('tool-send').count()).toBe(1)
    await page.close()
  })

  it('shows nothing twice when an attempt starts over', async () => {
    const talk = gateway.open(cutAfter(1, say(['It is five', ', I think.'])), say('It is four.'))
    const page = await ask(talk)
    await says(page, 'It is four.')
    await page.close()
  })
})

/** What `useChat` is made of, without a page. */
function chatOf(talk: Conversation, more: Partial<ConstructorParameters<typeof Chat<UIMessage>>[0]> = {}) {
  const api = `${gateway.url}/v1/ai-sdk/chat`
  return new Chat({ id: talk.session.id, transport: new DefaultChatTransport({ api }), ...more })
}

function textsIn(messages: readonly UIMessage[]): readonly string[] {
  return messages
    .slice(1)
    .flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])))
}

describe('a chat of the AI SDK', () => {
  it('runs what is the page’s to run', async () => {
    const talk = gateway.open(callTools({ tool: 'read_page' }), say('I see.'))
    const asked: string[] = []
    const chat: Chat<UIMessage> = chatOf(talk, {
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls,
      onToolCall: ({ toolCall }) => {
        asked.push(toolCall.toolName)
        void chat.addToolOutput({
          tool: 'read_page',
          toolCallId: toolCall.toolCallId,
          output: { title: 'A page' },
        })
      },
    })
    await chat.sendMessage({ text: `Hello? [${talk.session.id}]` })
    await talk.session.whenIdle()
    await eventually(() => Promise.resolve(chat.status === 'ready' && textsIn(chat.messages).length > 0))
    expect(textsIn(chat.messages)).toEqual(['I see.'])
    expect(asked).toEqual(['read_page'])
    expect(await talk.receipts()).toEqual(['c1_1_0 ok'])
  })

  it('goes on after a lost connection with nothing twice', async () => {
    const held = gate()
    const talk = gateway.open(holdAfter(1, held, say(['It is ', 'four.'])))
    const lose = new AbortController()
    const chat = chatOf(talk, {
      transport: new DefaultChatTransport({
        api: `${gateway.url}/v1/ai-sdk/chat`,
        fetch: async (url, init) => {
          const answer = await fetch(url, init)
          return init?.method === 'POST' ? new Response(lossy(answer.body, lose.signal), answer) : answer
        },
      }),
    })
    const sent = chat.sendMessage({ text: `Hello? [${talk.session.id}]` })
    await eventually(() => Promise.resolve(textsIn(chat.messages).join() === 'It is '))
    lose.abort()
    await sent
    expect(chat.status).toBe('error')
    held.open()
    await chat.resumeStream()
    expect(textsIn(chat.messages)).toEqual(['It is four.'])
  })
})

/** A body that breaks off as a connection does. */
function lossy(body: ReadableStream<Uint8Array> | null, lost: AbortSignal): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async start(controller) {
      lost.addEventListener('abort', () => controller.error(new TypeError('network error')))
      for await (const chunk of body ?? []) if (!lost.aborted) controller.enqueue(chunk)
    },
  })
}

describe('the chat endpoint', () => {
  const body = (talk: Conversation, more: object = {}) => ({
    id: talk.session.id,
    trigger: 'submit-message',
    messages: [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: `Hello? [${talk.session.id}]` }] }],
    ...more,
  })

  it('opens no second turn for a message that is posted again', async () => {
    const talk = gateway.open(say('Once.'))
    const post = () =>
      fetch(`${gateway.url}/v1/ai-sdk/chat`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body(talk)),
      })
    const first = await post()
    expect(first.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1')
    expect(await first.text()).toMatch(/"text-delta","id":"m1_1","delta":"Once\."[\s\S]*data: \[DONE\]\n\n$/)
    expect(await (await post()).text()).toMatch(/"delta":"Once\."[\s\S]*data: \[DONE\]\n\n$/)
    expect(talk.requests).toHaveLength(1)
    const state = await gateway.call('GET', `/v1/ai-sdk/chat/${talk.session.id}/stream`)
    expect(state.status).toBe(204)
  })

  it('refuses what cannot be done', async () => {
    const talk = gateway.open()
    const refused = (more: object) => gateway.call('POST', '/v1/ai-sdk/chat', body(talk, more))
    const status = { status: 400, body: { code: 'invalid-input' } }
    expect(await refused({ trigger: 'regenerate-message' })).toMatchObject(status)
    expect(await refused({ messages: [] })).toMatchObject(status)
    expect(await refused({ messages: [{ id: 'a b', role: 'user', parts: [] }] })).toMatchObject(status)
    expect(await refused({ messages: [{ id: 'u1', role: 'user', parts: [] }] })).toMatchObject(status)
    const answer = { id: 'answer-u1', role: 'assistant', parts: [] }
    expect(await refused({ messages: [answer] })).toMatchObject({
      status: 404,
      body: { code: 'session-not-found' },
    })
  })
})
