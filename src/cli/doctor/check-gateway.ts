import type { Environment } from '../../config.ts'
import { isInForce } from '../../gateway/auth/api-keys.ts'
import { checkReach } from '../gateway/authentication.ts'
import { openExistingStore } from '../stack/read-store.ts'
import { type Check, note, ok, wrong } from './check.ts'

/** How long an identity provider may take. */
const KEY_SET_MS = 5_000

/** Who may use the gateway, and whether anybody can: keys that are in force, a key set that is there. */
export function checkGateway(settings: Environment): Check {
  return {
    name: 'Gateway',
    run: async () => {
      checkReach(settings)
      const { host, port, gateway } = settings
      const address = `${host}:${port}`
      const { auth } = gateway
      if (auth.kind === 'local') return ok(`${address}, for this machine`)
      if (auth.jwt !== undefined && !(await hasKeySet(auth.jwt.jwksUrl)))
        return wrong(
          `no key set at ${auth.jwt.jwksUrl}`,
          'Set TURNSTEP_JWT_JWKS_URL, or see to the provider.',
        )
      const keys = auth.keys ? await keysInForce(settings) : undefined
      if (keys === 0 && auth.jwt === undefined)
        return note(`${address}, for API keys, of which there is none: "turnstep keys create" makes one`)
      const kinds = [...(keys === undefined ? [] : [`${keys} API keys`]), ...(auth.jwt ? ['JWTs'] : [])]
      return ok(`${address}, for ${kinds.join(' and ')}`)
    },
  }
}

async function keysInForce(settings: Environment): Promise<number> {
  const store = await openExistingStore(settings)
  if (store === undefined) return 0
  try {
    return (await store.apiKeys()).filter((record) => isInForce(record, new Date())).length
  } finally {
    await store.close()
  }
}

async function hasKeySet(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(KEY_SET_MS) })
    const set: unknown = answer.ok ? await answer.json() : undefined
    return typeof set === 'object' && set !== null && 'keys' in set && Array.isArray(set.keys)
  } catch {
    return false
  }
}
