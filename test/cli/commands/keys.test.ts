import { describe, expect, it } from 'vitest'
import { newPlace } from './support/place.ts'
import { jsonLines, runCommand, startCommand } from './support/turnstep-command.ts'

describe('keys of the gateway', () => {
  it('are shown once, open what their scopes say, and open nothing once they are revoked', async () => {
    const shared = await newPlace('shared')
    const place = { ...shared, env: { ...shared.env, TURNSTEP_AUTH: 'keys' } }
    const made = await runCommand(place, ['keys', 'create', '--name', 'reviewer', '--scopes', 'read'])
    const key = made.stdout.trim()
    expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining('It is shown this once') })
    expect(key).toMatch(/^tsk_[0-9a-f]{16}_[A-Za-z0-9_-]{43}$/)
    const listed = await runCommand(place, ['keys', 'list', '--json'])
    expect(jsonLines(listed.stdout)).toMatchObject([
      { id: key.slice(4, 20), tenant: 'default', name: 'reviewer', scopes: ['read'] },
    ])
    expect(listed.stdout).not.toContain(key.slice(21))

    const { stdout } = await runCommand(place, ['doctor'])
    expect(stdout).toContain('Gateway: 127.0.0.1:0, for 1 API keys')

    const serve = startCommand(place, 'serve', '--json')
    await serve.untilPrinted('stdout', '"ready":true')
    const [{ url } = { url: '' }] = jsonLines(serve.stdout) as readonly { readonly url: string }[]
    const ask = async (headers: Record<string, string>, method = 'GET') =>
      (await fetch(`${url}/v1/sessions`, { method, headers, ...(method === 'GET' ? {} : { body: '{}' }) }))
        .status
    const mine = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    expect([await ask({}), await ask(mine), await ask(mine, 'POST')]).toEqual([401, 200, 403])
    expect(await runCommand(place, ['keys', 'revoke', key.slice(4, 20)])).toMatchObject({
      code: 0,
      stdout: `Key ${key.slice(4, 20)} is revoked.\n`,
    })
    expect(await ask(mine)).toBe(401)
  })

  it.each([
    [['keys', 'create', '--name', 'a', '--scopes', 'read,write'], 'There is no scope "write"'],
    [['keys', 'create', '--name', 'a', '--tenant', 'a b'], '--tenant is 1 to 128 characters'],
    [['keys', 'revoke', 'nothing'], 'There is no key nothing.'],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await runCommand(await newPlace('shared'), args)
    expect(code).not.toBe(0)
    expect(stderr).toContain(message)
  })

  it('are demanded where other machines reach the gateway', async () => {
    const shared = await newPlace('shared')
    const place = { ...shared, env: { ...shared.env, TURNSTEP_HOST: '0.0.0.0' } }
    const { code, stderr } = await runCommand(place, ['serve'])
    expect(code).toBe(2)
    expect(stderr).toContain('set TURNSTEP_AUTH to keys, jwt or keys,jwt')
  })
})
