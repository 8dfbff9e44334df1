/**
 * JSON Web Tokens of an identity provider: RFC 7519, keys from its JWKS (RFC 7517).
 */
import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { isScope, type Scope } from '../../core/access.ts'
import { DEFAULT_TENANT, isId } from '../../core/ids.ts'
import { HttpProblem, problemOf } from '../problem.ts'
import type { TokenCheck } from './bearer.ts'
import { REFUSED } from './bearer.ts'
import type { AuthFailure, Principal } from './principal.ts'

export interface JwtSettings {
  /** Address of the provider's key set. */
  readonly jwksUrl: string
  readonly issuer: string
  readonly audience: string
  /** How far the provider's clock may be from ours. Seconds, default 30. */
  readonly clockToleranceSeconds?: number
  /** The claim that names the tenant. Default `tenant`; a token without it belongs to `default`. */
  readonly tenantClaim?: string
  /** The claim with the scopes: a list, or a text with spaces. Default `scope`. */
  readonly scopeClaim?: string
}

/** Only with a public key: a shared secret would be as good as a key to everything. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']

const DEFAULT_TOLERANCE_SECONDS = 30

/**
 * Verifies signature, issuer, audience and times. `keys` stands for the provider's key set; the default fetches it
 * from `jwksUrl` and again when a token names a key that is not in it. Fails with a problem, `identity-unavailable`, while
 * it cannot.
 */
export function checkJwt(settings: JwtSettings, keys: JWTVerifyGetKey = remoteKeys(settings)): TokenCheck {
  const { issuer, audience, clockToleranceSeconds = DEFAULT_TOLERANCE_SECONDS } = settings
  const options = {
    issuer,
    audience,
    clockTolerance: clockToleranceSeconds,
    algorithms: ALGORITHMS,
    requiredClaims: ['exp', 'sub'],
  }
  return async (token) => {
    if (token.split('.').length !== 3) return undefined
    try {
      const { payload } = await jwtVerify(token, keys, options)
      return principalOf(payload, settings)
    } catch (error) {
      if (isOwnFault(error)) return REFUSED
      throw new HttpProblem(
        problemOf('identity-unavailable', "The identity provider's keys cannot be had. Try again."),
      )
    }
  }
}

function remoteKeys({ jwksUrl }: JwtSettings): JWTVerifyGetKey {
  return createRemoteJWKSet(new URL(jwksUrl), { timeoutDuration: 5_000, cooldownDuration: 30_000 })
}

/** Whether the token is to blame, and not the way to the key set. */
function isOwnFault(error: unknown): boolean {
  if (error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid) return false
  // What the fetching of the key set fails with has the general code.
  return error instanceof errors.JOSEError && error.code !== 'ERR_JOSE_GENERIC'
}

function principalOf(payload: JWTPayload, settings: JwtSettings): Principal | AuthFailure {
  const { tenantClaim = 'tenant', scopeClaim = 'scope' } = settings
  const tenant = payload[tenantClaim] ?? DEFAULT_TENANT
  if (!isId(tenant) || typeof payload.sub !== 'string' || payload.sub.trim() === '') return REFUSED
  return {
    tenant,
    name: payload.sub.slice(0, 256).toWellFormed(),
    scopes: new Set(scopesOf(payload[scopeClaim])),
  }
}

/** Words that are no scopes of ours are others' business. `turnstep:read` counts as `read`. */
function scopesOf(claim: unknown): readonly Scope[] {
  const words = typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : []
  return words.map((word) => String(word).replace(/^turnstep:/, '')).filter(isScope)
}
