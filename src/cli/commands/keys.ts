import { environment } from '../../config.ts'
import { type ApiKeyRecord, isScope, SCOPES, type Scope } from '../../core/access.ts'
import { TurnstepError } from '../../core/errors.ts'
import { DEFAULT_TENANT, isId } from '../../core/ids.ts'
import { createApiKey, isInForce } from '../../gateway/auth/api-keys.ts'
import { openStore, type TurnstepStore } from '../../open-store.ts'
import { printLine } from '../output/json-lines.ts'
import { oneLine } from '../output/terminal-text.ts'

export interface KeysOptions {
  readonly json?: boolean
}

export interface CreateKeyOptions extends KeysOptions {
  readonly name: string
  readonly tenant?: string
  /** With commas between them. Default: all. */
  readonly scopes?: string
  /** Days until it expires. Default: never. */
  readonly days?: number
}

const DAY_MS = 24 * 60 * 60_000

/** `turnstep keys create`: makes a key and prints it, once. */
export async function createKey(options: CreateKeyOptions): Promise<number> {
  const { name, tenant = DEFAULT_TENANT, days, json } = options
  if (!isId(tenant))
    throw new TurnstepError('invalid-input', '--tenant is 1 to 128 characters out of A-Z a-z 0-9 _ . -')
  if (name.trim() === '') throw new TurnstepError('invalid-input', '--name must say whose key it is.')
  const scopes = readScopes(options.scopes)
  return withStore(async (store) => {
    const { key, record } = await createApiKey(store, {
      tenant,
      name: name.toWellFormed(),
      scopes,
      ...(days === undefined ? {} : { expiresAt: new Date(Date.now() + days * DAY_MS) }),
    })
    if (json === true) printLine({ key, ...shown(record) })
    else process.stdout.write(`${key}\n`)
    if (json !== true)
      process.stderr.write(
        `Key ${record.id} of ${oneLine(name, 64)}. It is shown this once; keep it secret.\n`,
      )
    return 0
  })
}

/** `turnstep keys list`: keys without their secrets. */
export async function listKeys({ json }: KeysOptions): Promise<number> {
  return withStore(async (store) => {
    const keys = await store.apiKeys()
    if (json === true) for (const record of keys) printLine(shown(record))
    else if (keys.length === 0)
      process.stdout.write('There are no keys. Make one with "turnstep keys create".\n')
    else process.stdout.write(`${keys.map(describeKey).join('\n')}\n`)
    return 0
  })
}

/** `turnstep keys revoke ID`: from now on it opens nothing. */
export async function revokeKey(id: string, { json }: KeysOptions): Promise<number> {
  return withStore(async (store) => {
    const record = await store.revokeApiKey(id)
    if (record === undefined) throw new TurnstepError('invalid-input', `There is no key ${oneLine(id, 64)}.`)
    if (json === true) printLine(shown(record))
    else process.stdout.write(`Key ${record.id} is revoked.\n`)
    return 0
  })
}

function readScopes(text: string | undefined): readonly Scope[] {
  if (text === undefined) return SCOPES
  const words = text.split(',').map((word) => word.trim())
  const unknown = words.find((word) => !isScope(word))
  if (unknown === undefined) return words.filter(isScope)
  throw new TurnstepError(
    'invalid-input',
    `There is no scope ${JSON.stringify(unknown)}; there are ${SCOPES.join(', ')}.`,
  )
}

function describeKey(record: ApiKeyRecord): string {
  const { id, tenant, name, scopes, expiresAt, revokedAt } = record
  const state =
    revokedAt !== undefined
      ? `revoked ${revokedAt}`
      : expiresAt === undefined
        ? 'never expires'
        : `${isInForce(record, new Date()) ? 'expires' : 'expired'} ${expiresAt}`
  return `${id}  ${oneLine(name, 64)}, tenant ${tenant}: ${scopes.join(', ')}; ${state}`
}

function shown({ secretDigest: _, ...record }: ApiKeyRecord): Omit<ApiKeyRecord, 'secretDigest'> {
  return record
}

async function withStore(use: (store: TurnstepStore) => Promise<number>): Promise<number> {
  const store = await openStore(environment().database)
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}
