/**
 * Requests that say who they are with `Authorization: Bearer …`: by API key, by JWT, or by either.
 */
import type { Authenticate, AuthFailure, Principal } from './principal.ts'

/** Knows one kind of token. Undefined for what is not of its kind. */
export type TokenCheck = (token: string) => Promise<Principal | AuthFailure | undefined>

const MISSING: AuthFailure = {
  failure: 'unauthenticated',
  detail: 'Say who you are: Authorization: Bearer KEY.',
}

/** Whoever fails is told the same, whatever was wrong: what a token lacks helps only who should not have it. */
export const REFUSED: AuthFailure = {
  failure: 'unauthenticated',
  detail: 'This key or token is not valid here: it is unknown, expired, revoked or for somebody else.',
  challenge: 'Bearer error="invalid_token"',
}

/** The first check that knows the token decides. */
export function authenticateByBearer(checks: readonly TokenCheck[]): Authenticate {
  return async (request) => {
    const token = bearerToken(request)
    if (token === undefined) return MISSING
    for (const check of checks) {
      const found = await check(token)
      if (found !== undefined) return found
    }
    return REFUSED
  }
}

/** Longer ones are not looked at. */
const MAX_TOKEN = 8_192

function bearerToken(request: Request): string | undefined {
  const [, token] = /^Bearer +([A-Za-z0-9._~+/=-]+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
  return token === undefined || token.length > MAX_TOKEN ? undefined : token
}
