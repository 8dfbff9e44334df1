import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { defineConfig, environment, loadConfig } from '../src/config.ts'

describe('environment', () => {
  it('has a default for everything but secrets and addresses', () => {
    expect(environment({ HOME: '/home/user', PATH: '/usr/bin' }, '/project')).toEqual({
      openai: {},
      temporal: { namespace: 'default', connection: {} },
      database: { kind: 'sqlite', path: '/project/.turnstep/turnstep.db' },
      host: '127.0.0.1',
      port: 7400,
      taskQueue: 'turnstep',
      gateway: { auth: { kind: 'local' }, corsOrigins: [], notifyWorkflows: [], limits: {} },
      webhooks: { allowPrivate: [] },
      dataDir: '/project/.turnstep',
      cacheDir: '/home/user/.cache/turnstep',
      searchPath: '/usr/bin',
    })
  })

  it('takes every variable', () => {
    const variables = {
      OPENAI_API_KEY: 'key',
      OPENAI_BASE_URL: 'http://localhost:11434/v1',
      TURNSTEP_MODEL: 'small',
      TEMPORAL_ADDRESS: 'temporal.example:7233',
      TEMPORAL_NAMESPACE: 'agents',
      TEMPORAL_API_KEY: 'secret',
      DATABASE_URL: 'postgres://localhost/turnstep',
      TURNSTEP_HOST: '0.0.0.0',
      TURNSTEP_PORT: '0',
      TURNSTEP_TASK_QUEUE: 'agents',
      TURNSTEP_TEMPORAL_UI_URL: 'http://localhost:8233',
      TURNSTEP_AUTH: 'keys',
      TURNSTEP_NOTIFY_WORKFLOWS: 'orders-,billing-',
      TURNSTEP_CORS_ORIGINS: 'https://app.example, http://localhost:5173',
      TURNSTEP_WEBHOOK_SECRET: 'key',
      TURNSTEP_WEBHOOK_ALLOW_PRIVATE: '127.0.0.1:8080, 10.0.0.2:80',
      TURNSTEP_RATE_LIMIT: '0',
      TURNSTEP_MAX_BODY_BYTES: '65536',
      TURNSTEP_DATA: 'data',
      XDG_CACHE_HOME: '/cache',
      PATH: '/bin',
    }
    expect(environment(variables, '/project')).toEqual({
      openai: { apiKey: 'key', baseUrl: 'http://localhost:11434/v1', model: 'small' },
      temporal: {
        address: 'temporal.example:7233',
        namespace: 'agents',
        connection: { apiKey: 'secret', tls: true },
      },
      database: { kind: 'postgres', url: 'postgres://localhost/turnstep' },
      host: '0.0.0.0',
      port: 0,
      taskQueue: 'agents',
      temporalUiUrl: 'http://localhost:8233',
      gateway: {
        auth: { kind: 'tokens', keys: true },
        corsOrigins: ['https://app.example', 'http://localhost:5173'],
        notifyWorkflows: ['orders-', 'billing-'],
        limits: { requestsPerMinute: 0, bodyBytes: 65_536 },
      },
      webhooks: { secret: 'key', allowPrivate: ['127.0.0.1:8080', '10.0.0.2:80'] },
      dataDir: '/project/data',
      cacheDir: '/cache/turnstep',
      searchPath: '/bin',
    })
  })

  it.each<[auth: string, more: Record<string, string>, expected: unknown]>([
    ['local', {}, { kind: 'local' }],
    ['keys', {}, { kind: 'tokens', keys: true }],
    [
      'keys, jwt',
      {
        TURNSTEP_JWT_JWKS_URL: 'https://id.example/jwks',
        TURNSTEP_JWT_ISSUER: 'https://id.example/',
        TURNSTEP_JWT_AUDIENCE: 'turnstep',
        TURNSTEP_JWT_CLOCK_TOLERANCE_S: '5',
      },
      {
        kind: 'tokens',
        keys: true,
        jwt: {
          jwksUrl: 'https://id.example/jwks',
          issuer: 'https://id.example/',
          audience: 'turnstep',
          clockToleranceSeconds: 5,
        },
      },
    ],
  ])('reads TURNSTEP_AUTH=%s', (auth, more, expected) => {
    expect(environment({ TURNSTEP_AUTH: auth, ...more }, '/app').gateway.auth).toEqual(expected)
  })

  it.each([
    [{ TURNSTEP_AUTH: 'none' }, 'TURNSTEP_AUTH'],
    [{ TURNSTEP_AUTH: 'local,keys' }, 'TURNSTEP_AUTH'],
    [{ TURNSTEP_AUTH: 'jwt' }, 'TURNSTEP_JWT_JWKS_URL'],
    [{ TURNSTEP_AUTH: 'jwt', TURNSTEP_JWT_JWKS_URL: 'https://id.example/jwks' }, 'TURNSTEP_JWT_ISSUER'],
    [{ TURNSTEP_CORS_ORIGINS: 'https://app.example/path' }, 'TURNSTEP_CORS_ORIGINS'],
    [{ TURNSTEP_CORS_ORIGINS: '*' }, 'TURNSTEP_CORS_ORIGINS'],
  ])('refuses %j', (variables, name) => {
    expect(() => environment(variables, '/app')).toThrow(name)
  })

  it('counts an empty variable as unset', () => {
    const { port, temporal, openai } = environment({
      TURNSTEP_PORT: '',
      TEMPORAL_ADDRESS: '',
      OPENAI_API_KEY: '',
    })
    expect({ port, temporal, openai }).toEqual({
      port: 7400,
      temporal: { namespace: 'default', connection: {} },
      openai: {},
    })
  })

  it('reads sqlite paths relative to the folder', () => {
    expect(environment({ DATABASE_URL: 'sqlite:log.db' }, '/project').database).toEqual({
      kind: 'sqlite',
      path: '/project/log.db',
    })
  })

  it.each([
    ['TURNSTEP_PORT', '70000', 'TURNSTEP_PORT must be a port number from 0 to 65535, not "70000".'],
    ['TURNSTEP_PORT', 'http', 'TURNSTEP_PORT must be a port number from 0 to 65535, not "http".'],
    ['DATABASE_URL', 'mysql://localhost', 'DATABASE_URL must be sqlite:PATH or postgres://….'],
    ['OPENAI_BASE_URL', 'localhost:11434', 'OPENAI_BASE_URL must be an http or https address.'],
    ['TURNSTEP_TEMPORAL_UI_URL', 'ui', 'TURNSTEP_TEMPORAL_UI_URL must be an http or https address.'],
  ])('refuses %s=%s with what it must be', (name, value, message) => {
    expect(() => environment({ [name]: value })).toThrow(
      expect.objectContaining({ code: 'invalid-config', message }),
    )
  })

  it("refuses Temporal's variables when they point at a file that is not there", () => {
    expect(() =>
      environment({
        TEMPORAL_TLS_CLIENT_CERT_PATH: '/nowhere/cert.pem',
        TEMPORAL_TLS_CLIENT_KEY_PATH: '/nowhere/key.pem',
      }),
    ).toThrow(
      expect.objectContaining({
        code: 'invalid-config',
        message: expect.stringContaining('/nowhere/cert.pem'),
      }),
    )
  })
})

describe('loadConfig', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'turnstep-config-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('knows no configuration where there is no file', async () => {
    expect(await loadConfig(folder)).toBeUndefined()
  })

  it.each(['turnstep.config.ts', 'turnstep.config.js', 'turnstep.config.mjs'])('loads %s', async (name) => {
    const types = name.endsWith('.ts') ? ': { agents: object[] }' : ''
    await writeFile(
      join(folder, name),
      `const config${types} = { agents: [{ name: 'a' }] }\nexport default config\n`,
    )
    expect(await loadConfig(folder)).toEqual({ agents: [{ name: 'a' }] })
  })

  it.each([
    ['throws', "throw new Error('no such model')", 'cannot be loaded: no such model'],
    [
      'exports nothing',
      'export const agents = []',
      'must default-export defineConfig({ agents: […] }) with at least one agent.',
    ],
    [
      'has no agent',
      'export default { agents: [] }',
      'must default-export defineConfig({ agents: […] }) with at least one agent.',
    ],
  ])('refuses a file that %s, by its name', async (_, source, problem) => {
    const path = join(folder, 'turnstep.config.mjs')
    await writeFile(path, source)
    await expect(loadConfig(folder)).rejects.toMatchObject({
      code: 'invalid-config',
      message: `${path} ${problem}`,
    })
  })
})

describe('defineConfig', () => {
  it('returns what it is given', () => {
    const config = { agents: [] }
    expect(defineConfig(config)).toBe(config)
  })
})
