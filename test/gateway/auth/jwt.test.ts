import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authenticateByBearer } from '../../../src/gateway/auth/bearer.ts'
import { checkJwt, type JwtSettings } from '../../../src/gateway/auth/jwt.ts'

const ISSUER = 'https://id.example/'
const AUDIENCE = 'turnstep'

describe('a JWT', () => {
  let server: Server
  let jwksUrl: string
  let keys: Awaited<ReturnType<typeof generateKeyPair>>
  let others: Awaited<ReturnType<typeof generateKeyPair>>

  beforeAll(async () => {
    keys = await generateKeyPair('ES256')
    others = await generateKeyPair('ES256')
    const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' }
    server = createServer((_, response) => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [jwk] }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    jwksUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`
  })
  afterAll(() => server.close())

  const now = (): number => Math.floor(Date.now() / 1_000)

  function sign(claims: JWTPayload = {}, with_: { key?: CryptoKey; kid?: string } = {}): Promise<string> {
    const payload = { iss: ISSUER, aud: AUDIENCE, sub: 'reviewer', exp: now() + 60, ...claims }
    return new SignJWT(payload)
      .setProtectedHeader({ alg: 'ES256', kid: with_.kid ?? 'k1' })
      .sign(with_.key ?? keys.privateKey)
  }

  async function ask(token: string, settings: Partial<JwtSettings> = {}): Promise<unknown> {
    const check = checkJwt({ jwksUrl, issuer: ISSUER, audience: AUDIENCE, ...settings })
    const request = new Request('http://here/', { headers: { authorization: `Bearer ${token}` } })
    const found = await authenticateByBearer([check])(request, {})
    return 'failure' in found ? found.failure : { ...found, scopes: [...found.scopes] }
  }

  it('tells tenant, name and scopes', async () => {
    expect(await ask(await sign({ tenant: 'tenant-a', scope: 'openid read turnstep:approve' }))).toEqual({
      tenant: 'tenant-a',
      name: 'reviewer',
      scopes: ['read', 'approve'],
    })
  })

  it('tells them by other claims where the settings say so', async () => {
    const token = await sign({ org: 'tenant-a', permissions: ['read', 'send', 'admin'] })
    expect(await ask(token, { tenantClaim: 'org', scopeClaim: 'permissions' })).toEqual({
      tenant: 'tenant-a',
      name: 'reviewer',
      scopes: ['read', 'send'],
    })
  })

  it('without a tenant belongs to the default one, and without scopes may do nothing', async () => {
    expect(await ask(await sign())).toEqual({ tenant: 'default', name: 'reviewer', scopes: [] })
  })

  it('is valid a little longer than it says, because clocks differ', async () => {
    expect(await ask(await sign({ exp: now() - 20 }))).toMatchObject({ name: 'reviewer' })
    expect(await ask(await sign({ exp: now() - 20 }), { clockToleranceSeconds: 5 })).toBe('unauthenticated')
    expect(await ask(await sign({ nbf: now() + 20 }))).toMatchObject({ name: 'reviewer' })
    expect(await ask(await sign({ nbf: now() + 60 }))).toBe('unauthenticated')
  })

  it.each<[what: string, claims: JWTPayload]>([
    ['is expired', { exp: 1_000 }],
    ['never expires', { exp: undefined }],
    ['names nobody', { sub: undefined }],
    ['is for another audience', { aud: 'other' }],
    ['is of another issuer', { iss: 'https://other.example/' }],
    ['names a tenant that cannot be', { tenant: '../other' }],
    ['names a tenant that is no text', { tenant: { a: 1 } }],
  ] as [string, JWTPayload][])('is refused when it %s', async (_, claims) => {
    expect(await ask(await sign(claims))).toBe('unauthenticated')
  })

  it('is refused when another key signed it, or one that is not in the set', async () => {
    expect(await ask(await sign({}, { key: others.privateKey }))).toBe('unauthenticated')
    expect(await ask(await sign({}, { kid: 'k2' }))).toBe('unauthenticated')
  })

  it('is refused unsigned, and signed with the public key as a secret', async () => {
    const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
    const payload = { iss: ISSUER, aud: AUDIENCE, sub: 'reviewer', exp: now() + 60 }
    expect(await ask(`${encode({ alg: 'none' })}.${encode(payload)}.`)).toBe('unauthenticated')
    const secret = new TextEncoder().encode(JSON.stringify(await exportJWK(keys.publicKey)))
    const hmac = await new SignJWT(payload).setProtectedHeader({ alg: 'HS256', kid: 'k1' }).sign(secret)
    expect(await ask(hmac)).toBe('unauthenticated')
  })

  it('is a matter for later while the key set cannot be had', async () => {
    await expect(ask(await sign(), { jwksUrl: 'http://127.0.0.1:1/jwks' })).rejects.toMatchObject({
      problem: { status: 503, code: 'identity-unavailable' },
    })
  })

  it.each(['', 'x', 'a.b', 'a.b.c', '..', 'Basic abc'])('is not %j', async (token) => {
    expect(await ask(token)).toBe('unauthenticated')
  })
})
