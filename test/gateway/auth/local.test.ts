import { describe, expect, it } from 'vitest'
import { authenticateLocally, exchangeToken } from '../../../src/gateway/auth/local.ts'

const TOKEN = 'token-of-this-start'
const URL = 'http://127.0.0.1:7400/v1/sessions'
const authenticate = authenticateLocally({ token: TOKEN, corsOrigins: ['https://app.example'] })

async function ask(headers: Readonly<Record<string, string>>, address = '127.0.0.1'): Promise<string> {
  const found = await authenticate(new Request(URL, { headers: { host: '127.0.0.1:7400', ...headers } }), {
    address,
  })
  return 'failure' in found ? found.failure : [...found.scopes].join(' ')
}

const ALL = 'send steer abort approve read'
const cookie = `a=b; turnstep_console_7400=${TOKEN}`

describe('local mode', () => {
  it.each<[who: string, headers: Record<string, string>]>([
    ['a program', {}],
    ['a program that calls it localhost', { host: 'localhost:7400' }],
    ['a program by a tunnel from another port', { host: 'localhost:9000' }],
    ['a program by IPv6', { host: '[::1]:7400' }],
    ['the console', { origin: 'http://127.0.0.1:7400', 'sec-fetch-site': 'same-origin', cookie }],
    ['the console, reading', { 'sec-fetch-site': 'same-origin', cookie }],
    [
      'a page of an origin that was allowed',
      { origin: 'https://app.example', 'sec-fetch-site': 'cross-site' },
    ],
  ])('lets %s do everything', async (_, headers) => {
    expect(await ask(headers)).toBe(ALL)
  })

  it.each<[who: string, headers: Record<string, string>]>([
    ['a page whose name was pointed here', { host: 'evil.example:7400' }],
    ['a page whose name was pointed here, with the cookie', { host: 'evil.example', cookie }],
    ['a name that begins like ours', { host: 'localhost.evil.example' }],
    ['a name that begins like our address', { host: '127.0.0.1.evil.example:7400' }],
    ['a page from elsewhere', { origin: 'https://evil.example', cookie }],
    ['a page of another port', { origin: 'http://127.0.0.1:9999', cookie }],
    ['a page without an origin of its own', { origin: 'null', cookie }],
    ['what a page from elsewhere embeds', { 'sec-fetch-site': 'cross-site', cookie }],
    ['what a page of another name here embeds', { 'sec-fetch-site': 'same-site', cookie }],
  ])('refuses %s', async (_, headers) => {
    expect(await ask(headers)).toBe('forbidden')
  })

  it.each<[who: string, headers: Record<string, string>]>([
    ['a page of ours without the cookie', { origin: 'http://127.0.0.1:7400' }],
    ['what is typed into a browser', { 'sec-fetch-site': 'none' }],
    ["a cookie of another port's gateway", { cookie: `turnstep_console_7401=${TOKEN}` }],
    ['a cookie of another start', { cookie: 'turnstep_console_7400=another' }],
    ['another cookie', { cookie: 'other=1' }],
  ])('asks %s for the link', async (_, headers) => {
    expect(await ask(headers)).toBe('unauthenticated')
  })

  it.each(['10.0.0.7', '::ffff:10.0.0.7', 'fe80::1', ''])('refuses the address %j', async (address) => {
    expect(await ask({}, address)).toBe('forbidden')
  })
})

describe('the link of the console', () => {
  const open = (url: string, headers: Record<string, string> = {}) =>
    exchangeToken(new Request(url, { headers: { host: '127.0.0.1:7400', ...headers } }), TOKEN)

  it('sets the cookie and leads to the same page without the token', () => {
    const answer = open(`http://127.0.0.1:7400/sessions/main?token=${TOKEN}&view=log`)
    expect(answer?.status).toBe(303)
    expect(answer?.headers.get('location')).toBe('/sessions/main?view=log')
    expect(answer?.headers.get('set-cookie')).toBe(
      `turnstep_console_7400=${TOKEN}; Path=/; HttpOnly; SameSite=Strict`,
    )
  })

  it('sets no cookie for another token, nor under another name', () => {
    expect(open('http://127.0.0.1:7400/?token=guess')?.headers.get('set-cookie')).toBeNull()
    const rebound = open(`http://evil.example/?token=${TOKEN}`, { host: 'evil.example' })
    expect(rebound?.headers.get('set-cookie')).toBeNull()
  })

  it('leads nowhere else', () => {
    expect(open('http://127.0.0.1:7400//evil.example/?token=x')?.headers.get('location')).toBe(
      '/evil.example/',
    )
  })

  it('is nothing without a token', () => {
    expect(open('http://127.0.0.1:7400/')).toBeUndefined()
  })
})
