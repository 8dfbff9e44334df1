/**
 * Local mode: whoever is on this machine may do everything.
 */
import { DEFAULT_TENANT } from '../../core/ids.ts'
import type { Authenticate, Principal } from './principal.ts'
import { SCOPES } from './principal.ts'

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/

const PRINCIPAL: Principal = { tenant: DEFAULT_TENANT, name: 'user', scopes: new Set(SCOPES) }

/** Lets requests from this machine pass, and no others. */
export function authenticateLocally(): Authenticate {
  return (_, { address }) =>
    Promise.resolve(
      address !== undefined && LOOPBACK.test(address)
        ? PRINCIPAL
        : { failure: 'forbidden', detail: 'This gateway answers to programs on its own machine alone.' },
    )
}
