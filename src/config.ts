/**
 * What a person sets: the environment (read here and nowhere else) and `turnstep.config.{ts,js,mjs}`.
 */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ConnectionOptions } from '@temporalio/client'
import { loadClientConnectConfig } from '@temporalio/envconfig'
import type { Agent } from './core/agent.ts'
import { defined } from './core/defined.ts'
import { TurnstepError } from './core/errors.ts'
import type { JwtSettings } from './gateway/auth/jwt.ts'

/** Where events are kept. */
export type DatabaseLocation =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string }

export interface TemporalSettings {
  /** Absent: a server of ours is started on this machine. */
  readonly address?: string
  readonly namespace: string
  /** Key, TLS and metadata, as Temporal's own environment configuration has them. */
  readonly connection: Pick<ConnectionOptions, 'apiKey' | 'tls' | 'metadata'>
}

/** Who may use the gateway: programs and the console of this machine, or whoever has a key or token. */
export type GatewayAuth =
  | { readonly kind: 'local' }
  | { readonly kind: 'tokens'; readonly keys: boolean; readonly jwt?: JwtSettings }

export interface GatewaySettings {
  /** `TURNSTEP_AUTH`, and the `TURNSTEP_JWT_` variables. */
  readonly auth: GatewayAuth
  /** `TURNSTEP_CORS_ORIGINS`: pages that may call it. */
  readonly corsOrigins: readonly string[]
  /** `TURNSTEP_NOTIFY_WORKFLOWS`: how ids of workflows begin that inputs may have signalled. In local mode any may. */
  readonly notifyWorkflows: readonly string[]
  /** `TURNSTEP_RATE_LIMIT`, 0 for none, and `TURNSTEP_MAX_BODY_BYTES`. */
  readonly limits: { readonly requestsPerMinute?: number; readonly bodyBytes?: number }
}

export interface OpenAiSettings {
  readonly apiKey?: string
  readonly baseUrl?: string
  /** `TURNSTEP_MODEL`. */
  readonly model?: string
}

export interface Environment {
  readonly openai: OpenAiSettings
  readonly temporal: TemporalSettings
  readonly database: DatabaseLocation
  readonly host: string
  readonly port: number
  readonly taskQueue: string
  readonly temporalUiUrl?: string
  readonly gateway: GatewaySettings
  /** `TURNSTEP_WEBHOOK_SECRET`, and `TURNSTEP_WEBHOOK_ALLOW_PRIVATE`, a list of `host:port` with commas. */
  readonly webhooks: { readonly secret?: string; readonly allowPrivate: readonly string[] }
  /** Absolute: the folder of everything that the embedded default keeps. */
  readonly dataDir: string
  /** Absolute: the folder for downloads that can be had again. */
  readonly cacheDir: string
  /** Folders with programs, as `PATH` has them. */
  readonly searchPath: string
}

/** Variables by name, as `process.env` has them. An empty one counts as unset. */
export type Variables = Readonly<Record<string, string | undefined>>

/**
 * Reads and checks the environment variables. Relative paths are relative to `cwd`.
 *
 * Fails with `invalid-config`, naming the variable.
 */
export function environment(variables: Variables = process.env, cwd: string = process.cwd()): Environment {
  const read = (name: string): string | undefined => variables[name] || undefined
  const dataDir = resolve(cwd, read('TURNSTEP_DATA') ?? '.turnstep')
  const temporalUiUrl = readUrl(read, 'TURNSTEP_TEMPORAL_UI_URL')
  return {
    openai: readOpenAi(read),
    temporal: readTemporal(variables),
    database: readDatabase(read('DATABASE_URL'), dataDir, cwd),
    host: read('TURNSTEP_HOST') ?? '127.0.0.1',
    port: readPort(read('TURNSTEP_PORT')),
    taskQueue: read('TURNSTEP_TASK_QUEUE') ?? 'turnstep',
    ...(temporalUiUrl === undefined ? {} : { temporalUiUrl }),
    gateway: readGateway(read),
    webhooks: readWebhooks(read),
    dataDir,
    cacheDir: join(read('XDG_CACHE_HOME') ?? join(read('HOME') ?? homedir(), '.cache'), 'turnstep'),
    searchPath: read('PATH') ?? '',
  }
}

type Read = (name: string) => string | undefined

function readWebhooks(read: Read): Environment['webhooks'] {
  const secret = read('TURNSTEP_WEBHOOK_SECRET')
  const allowPrivate = readList(read, 'TURNSTEP_WEBHOOK_ALLOW_PRIVATE')
  return { ...(secret === undefined ? {} : { secret }), allowPrivate }
}

/** Entries with commas between them. */
function readList(read: Read, name: string): readonly string[] {
  return (read(name) ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}

function readGateway(read: Read): GatewaySettings {
  const corsOrigins = readList(read, 'TURNSTEP_CORS_ORIGINS')
  for (const origin of corsOrigins)
    if (!URL.canParse(origin) || new URL(origin).origin !== origin)
      throw new TurnstepError(
        'invalid-config',
        `TURNSTEP_CORS_ORIGINS must be origins like https://app.example with commas between them, not ${JSON.stringify(origin)}.`,
      )
  const requestsPerMinute = readNumber(read, 'TURNSTEP_RATE_LIMIT')
  const bodyBytes = readNumber(read, 'TURNSTEP_MAX_BODY_BYTES')
  return {
    notifyWorkflows: readList(read, 'TURNSTEP_NOTIFY_WORKFLOWS'),
    auth: readAuth(read),
    corsOrigins,
    limits: defined({ requestsPerMinute, bodyBytes }),
  }
}

function readNumber(read: Read, name: string): number | undefined {
  const value = read(name)
  if (value === undefined) return undefined
  if (/^\d{1,15}$/.test(value)) return Number(value)
  throw new TurnstepError('invalid-config', `${name} must be a whole number, not ${JSON.stringify(value)}.`)
}

function readAuth(read: Read): GatewayAuth {
  const words = readList(read, 'TURNSTEP_AUTH')
  if (words.length === 0 || (words.length === 1 && words[0] === 'local')) return { kind: 'local' }
  if (!words.every((word) => word === 'keys' || word === 'jwt'))
    throw new TurnstepError('invalid-config', 'TURNSTEP_AUTH must be local, keys, jwt or keys,jwt.')
  const keys = words.includes('keys')
  return words.includes('jwt') ? { kind: 'tokens', keys, jwt: readJwt(read) } : { kind: 'tokens', keys }
}

function readJwt(read: Read): JwtSettings {
  const required = (name: string): string => {
    const value = read(name)
    if (value !== undefined) return value
    throw new TurnstepError('invalid-config', `TURNSTEP_AUTH has jwt, which needs ${name}.`)
  }
  const tolerance = read('TURNSTEP_JWT_CLOCK_TOLERANCE_S')
  if (tolerance !== undefined && !/^\d{1,4}$/.test(tolerance))
    throw new TurnstepError('invalid-config', 'TURNSTEP_JWT_CLOCK_TOLERANCE_S must be a number of seconds.')
  const jwksUrl = readUrl(read, 'TURNSTEP_JWT_JWKS_URL') ?? required('TURNSTEP_JWT_JWKS_URL')
  return defined({
    jwksUrl,
    issuer: required('TURNSTEP_JWT_ISSUER'),
    audience: required('TURNSTEP_JWT_AUDIENCE'),
    clockToleranceSeconds: tolerance === undefined ? undefined : Number(tolerance),
    tenantClaim: read('TURNSTEP_JWT_TENANT_CLAIM'),
    scopeClaim: read('TURNSTEP_JWT_SCOPE_CLAIM'),
  })
}

function readOpenAi(read: Read): OpenAiSettings {
  const apiKey = read('OPENAI_API_KEY')
  const baseUrl = readUrl(read, 'OPENAI_BASE_URL')
  const model = read('TURNSTEP_MODEL')
  return {
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(model === undefined ? {} : { model }),
  }
}

/** The file of Temporal's environment configuration counts only when a variable points at it or at a profile. */
function readTemporal(variables: Variables): TemporalSettings {
  const given = Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  )
  const disableFile = given['TEMPORAL_CONFIG_FILE'] === undefined && given['TEMPORAL_PROFILE'] === undefined
  try {
    const { connectionOptions, namespace } = loadClientConnectConfig({ overrideEnvVars: given, disableFile })
    const { address, apiKey, tls, metadata } = connectionOptions
    return {
      ...(address === undefined ? {} : { address }),
      namespace: namespace ?? 'default',
      connection: {
        ...(apiKey === undefined ? {} : { apiKey }),
        ...(tls === undefined ? {} : { tls }),
        ...(metadata === undefined ? {} : { metadata }),
      },
    }
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause)
    throw new TurnstepError('invalid-config', `The TEMPORAL_ variables cannot be used: ${problem}`, { cause })
  }
}

function readDatabase(value: string | undefined, dataDir: string, cwd: string): DatabaseLocation {
  if (value === undefined) return { kind: 'sqlite', path: join(dataDir, 'turnstep.db') }
  if (/^postgres(ql)?:\/\//.test(value)) return { kind: 'postgres', url: value }
  const path = /^sqlite:(.+)$/.exec(value)?.[1]
  if (path !== undefined) return { kind: 'sqlite', path: resolve(cwd, path) }
  throw new TurnstepError('invalid-config', 'DATABASE_URL must be sqlite:PATH or postgres://….')
}

function readUrl(read: Read, name: string): string | undefined {
  const value = read(name)
  if (value === undefined || (/^https?:\/\//.test(value) && URL.canParse(value))) return value
  throw new TurnstepError('invalid-config', `${name} must be an http or https address.`)
}

function readPort(value: string | undefined): number {
  if (value === undefined) return 7400
  const port = Number(value)
  if (/^\d+$/.test(value) && port <= 65_535) return port
  throw new TurnstepError(
    'invalid-config',
    `TURNSTEP_PORT must be a port number from 0 to 65535, not ${JSON.stringify(value)}.`,
  )
}

/** What a configuration file exports. */
export interface Config {
  /** The first is the default. */
  readonly agents: readonly Agent[]
}

/** Gives the default export of a `turnstep.config.ts` its type. */
export function defineConfig(config: Config): Config {
  return config
}

/** A configuration that takes longer to load waits for something that does not come. */
const LOADING_MS = 20_000

const CONFIG_NAMES = ['turnstep.config.ts', 'turnstep.config.js', 'turnstep.config.mjs'] as const

/**
 * Loads the configuration file of a folder; undefined when it has none.
 *
 * `import … from 'turnstep'` in it means this very package, wherever the folder is. Fails with `invalid-config`,
 * naming the file.
 */
export async function loadConfig(cwd: string = process.cwd()): Promise<Config | undefined> {
  const path = CONFIG_NAMES.map((name) => join(cwd, name)).find((candidate) => existsSync(candidate))
  if (path === undefined) return undefined
  const here = fileURLToPath(import.meta.url)
  const self = (name: string) =>
    fileURLToPath(new URL(`./${name}${here.slice(here.lastIndexOf('.'))}`, import.meta.url))
  const { createJiti } = await import('jiti')
  const jiti = createJiti(import.meta.url, {
    alias: { 'turnstep/testing': self('testing/index'), turnstep: self('index') },
  })
  let config: unknown
  try {
    config = await withinTime(jiti.import(path, { default: true }))
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause)
    throw new TurnstepError('invalid-config', `${path} cannot be loaded: ${problem}`, { cause })
  }
  if (isConfig(config)) return config
  throw new TurnstepError(
    'invalid-config',
    `${path} must default-export defineConfig({ agents: […] }) with at least one agent.`,
  )
}

/** The timer also keeps the process alive: Node.js would leave without a word when an import waits for nothing. */
async function withinTime<T>(loading: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const problem = `it has not finished loading within ${LOADING_MS / 1_000} s`
    timer = setTimeout(() => reject(new Error(problem)), LOADING_MS)
  })
  try {
    return await Promise.race([loading, late])
  } finally {
    clearTimeout(timer)
  }
}

function isConfig(value: unknown): value is Config {
  if (typeof value !== 'object' || value === null || !('agents' in value)) return false
  const { agents } = value
  return (
    Array.isArray(agents) &&
    agents.length > 0 &&
    agents.every((agent) => typeof agent === 'object' && agent !== null)
  )
}
