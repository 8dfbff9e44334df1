/**
 * Who asks, and what they may do.
 */
import type { Scope } from '../../core/access.ts'

export type { Scope }

export interface Principal {
  readonly tenant: string
  /** Recorded with what they decide. */
  readonly name: string
  readonly scopes: ReadonlySet<Scope>
}

/** Nobody that we know, or somebody who may not be here at all. */
export interface AuthFailure {
  readonly failure: 'unauthenticated' | 'forbidden'
  /** For the caller; no secrets. */
  readonly detail: string
  /** Value of `WWW-Authenticate`, with `unauthenticated`. Default `Bearer`. */
  readonly challenge?: string
}

/** Where a request comes from, by its socket. */
export interface Remote {
  /** Undefined outside a socket. */
  readonly address?: string
}

/** Finds out who sends a request. Called for every request of a route that names a scope; does not read the body. */
export type Authenticate = (request: Request, remote: Remote) => Promise<Principal | AuthFailure>

export function isAuthFailure(found: Principal | AuthFailure): found is AuthFailure {
  return 'failure' in found
}
