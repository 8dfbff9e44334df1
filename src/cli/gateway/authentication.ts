import type { Environment } from '../../config.ts'
import type { ApiKeyStore } from '../../core/access.ts'
import { TurnstepError } from '../../core/errors.ts'
import { checkApiKey } from '../../gateway/auth/api-keys.ts'
import { authenticateByBearer } from '../../gateway/auth/bearer.ts'
import { checkJwt } from '../../gateway/auth/jwt.ts'
import { authenticateLocally, isLoopbackHost, newConsoleToken } from '../../gateway/auth/local.ts'
import type { Authenticate } from '../../gateway/auth/principal.ts'

/** Fails with `invalid-config` where nobody would be asked who they are, and other machines reach the gateway. */
export function checkReach({ host, gateway }: Pick<Environment, 'host' | 'gateway'>): void {
  if (gateway.auth.kind === 'tokens' || isLoopbackHost(host)) return
  throw new TurnstepError(
    'invalid-config',
    `TURNSTEP_HOST is ${JSON.stringify(host)}, which other machines reach: set TURNSTEP_AUTH to keys, jwt or keys,jwt ("turnstep keys create" makes a key).`,
  )
}

/** Who may use the gateway; in local mode with the token of this start. Fails as {@link checkReach}. */
export function authenticationOf(
  settings: Pick<Environment, 'host' | 'gateway'>,
  keys: ApiKeyStore,
): { readonly authenticate: Authenticate; readonly consoleToken?: string } {
  checkReach(settings)
  const { auth, corsOrigins } = settings.gateway
  if (auth.kind === 'tokens') {
    const checks = [...(auth.keys ? [checkApiKey(keys)] : []), ...(auth.jwt ? [checkJwt(auth.jwt)] : [])]
    return { authenticate: authenticateByBearer(checks) }
  }
  const consoleToken = newConsoleToken()
  return { authenticate: authenticateLocally({ token: consoleToken, corsOrigins }), consoleToken }
}
