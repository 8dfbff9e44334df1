/**
 * Posting to a receiver's URL: to public addresses alone, signed as the Standard Webhooks specification has it.
 */
import { createHmac } from 'node:crypto'
import { TurnstepError } from '../core/errors.ts'
import { createHostRules } from './builtin/http-fetch/host-rules.ts'
import { HttpFetchError } from './builtin/http-fetch/http-fetch-error.ts'
import { resolveBySystem, sendRequest } from './builtin/http-fetch/send-request.ts'

/** Fails with `invalid-config` when the receivers at private addresses are not written as they must be. */
export function checkWebhooks({ allowPrivate = [] }: WebhookOptions): void {
  try {
    createHostRules([], allowPrivate)
  } catch (cause) {
    throw new TurnstepError(
      'invalid-config',
      `TURNSTEP_WEBHOOK_ALLOW_PRIVATE (webhooks.allowPrivate) must be a list of host:port, not ${JSON.stringify(allowPrivate.join(','))}.`,
      { cause },
    )
  }
}

export interface WebhookOptions {
  /** Key of the signature; without one nothing is signed. With the prefix `whsec_` it is base64, else text. */
  readonly secret?: string | undefined
  /** `host:port` of receivers that are at private addresses on purpose. */
  readonly allowPrivate?: readonly string[]
}

const TIMEOUT_MS = 15_000

/**
 * Posts once and follows no redirect. Fails unless the answer is a success, and for a URL that leads to an address
 * that is not public.
 */
export async function sendWebhook(
  url: string,
  message: { readonly id: string; readonly body: string },
  options: WebhookOptions,
): Promise<void> {
  try {
    await post(url, message, options)
  } catch (error) {
    // Written for a model; who reads this runs the worker.
    if (!(error instanceof HttpFetchError)) throw error
    throw new TurnstepError(
      'invalid-config',
      `A webhook was not sent. ${error.message} A receiver at a private address has to be named in TURNSTEP_WEBHOOK_ALLOW_PRIVATE, as host:port.`,
    )
  }
}

async function post(
  url: string,
  message: { readonly id: string; readonly body: string },
  options: WebhookOptions,
): Promise<void> {
  const host = URL.canParse(url) ? new URL(url) : undefined
  const named = host === undefined ? [] : [host.port === '' ? host.hostname : `${host.hostname}:${host.port}`]
  const rules = createHostRules(named, options.allowPrivate ?? [])
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const response = await sendRequest(
    rules.admit(url),
    {
      method: 'POST',
      body: message.body,
      contentType: 'application/json',
      headers: headersOf(message, options.secret),
    },
    { rules, resolve: resolveBySystem, signal },
  )
  response.destroy()
  const { statusCode = 0 } = response
  if (statusCode < 200 || statusCode > 299)
    throw new Error(`The receiver of a webhook answered ${statusCode}.`)
}

function headersOf(
  { id, body }: { readonly id: string; readonly body: string },
  secret: string | undefined,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp }
  if (secret === undefined) return headers
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : secret
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { ...headers, 'webhook-signature': `v1,${signature}` }
}
