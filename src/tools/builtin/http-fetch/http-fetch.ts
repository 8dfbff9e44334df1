/**
 * `http_fetch`: reading from hosts that an operator has allowed.
 */
import { z } from 'zod'
import { TurnstepError } from '../../../core/errors.ts'
import type { RiskLevel } from '../../../core/event.ts'
import { clip } from '../../../core/printable-text.ts'
import { defineTool, type Tool } from '../../define-tool.ts'
import { followRedirects } from './follow-redirects.ts'
import { createHostRules, type HostRules } from './host-rules.ts'
import { type Resolve, resolveBySystem } from './send-request.ts'

export type HttpMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface HttpFetchOptions {
  /**
   * Hosts that may be fetched from: `host`, `*.host` for all hosts below it, each on the default port of its scheme,
   * or `host:port`. Default: none.
   */
  readonly allow?: readonly string[]
  /**
   * Hosts, each with its port, that may be at a private address: of this machine, of an intranet. They need not be
   * in `allow`. Link-local and metadata addresses stay forbidden.
   */
  readonly allowPrivate?: readonly string[]
  /** What is kept of a body after decompression, in bytes. Default 1 MiB, at most 16 MiB. */
  readonly maxBytes?: number
  /** From the call to the last byte, redirects included. Default 20,000. */
  readonly timeoutMs?: number
  /** Default GET and HEAD. With any other the tool is `once`. */
  readonly methods?: readonly HttpMethod[]
  /** Of methods other than GET and HEAD, whose risk is low. Default `high`. */
  readonly risk?: RiskLevel
}

const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] satisfies HttpMethod[]
const MAX_BYTES = 16 * 1024 * 1024
const MAX_TIMEOUT_MS = 10 * 60_000
/** For the tool's own time limit to come after ours, which says more. */
const SLACK_MS = 1_000

/**
 * `{ url, method?, body?, contentType? } → { status, url, contentType, body }`, with `cut: true` when the body is
 * longer. Only URLs of hosts that are allowed, at public addresses, are fetched; each redirect is judged anew.
 * Fails with `invalid-config`.
 */
export function httpFetch(options: HttpFetchOptions = {}): Tool {
  return httpFetchTool(options, resolveBySystem)
}

/** {@link httpFetch} with a name service of its own. */
export function httpFetchTool(options: HttpFetchOptions, resolve: Resolve): Tool {
  const { allow = [], allowPrivate = [], methods = ['GET', 'HEAD'], risk = 'high' } = options
  const maxBytes = countOf('maxBytes', options.maxBytes ?? 1024 * 1024, MAX_BYTES)
  const timeoutMs = countOf('timeoutMs', options.timeoutMs ?? 20_000, MAX_TIMEOUT_MS)
  const rules = createHostRules(allow, allowPrivate)
  checkMethods(methods)
  const isReadOnly = methods.every(isSafe)
  return defineTool({
    name: 'http_fetch',
    description: describe(rules),
    input: inputOf(methods as HttpMethods, isReadOnly),
    effect: isReadOnly ? 'read' : 'once',
    risk: isReadOnly ? 'low' : ({ method }) => (isSafe(method) ? 'low' : risk),
    timeoutMs: timeoutMs + SLACK_MS,
    result: { outside: true },
    run: ({ url, ...request }, { signal }) =>
      followRedirects(url, request, { rules, resolve, signal, maxBytes, timeoutMs }),
  })
}

type HttpMethods = readonly [HttpMethod, ...HttpMethod[]]

function inputOf(methods: HttpMethods, isReadOnly: boolean) {
  const request = z.strictObject({
    url: z.string().max(8_192).describe('Absolute URL, http or https.'),
    method: z.enum(methods).default(methods[0]),
  })
  if (isReadOnly) return request
  return request.extend({
    body: z.string().max(1_000_000).optional().describe('What to send; not with GET or HEAD.'),
    contentType: z
      .string()
      .max(100)
      .regex(/^[\w.+-]+\/[\w.+-]+(; ?charset=utf-8)?$/i)
      .default('application/json')
      .describe('Type of body.'),
  })
}

function describe({ shown }: HostRules): string {
  const hosts =
    shown.length === 0 ? 'No host is allowed.' : `Allowed hosts: ${clip(shown.join(', '), 1_000)}.`
  return `Fetches a URL over HTTP and answers with status, final URL, content type and body. HTML comes as plain text, binary content as its size. ${hosts}`
}

function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

function checkMethods(methods: readonly string[]): void {
  const isList = Array.isArray(methods) && methods.length > 0 && new Set(methods).size === methods.length
  if (!isList || !methods.every((method) => METHODS.includes(method)))
    reject(`methods must be some of ${METHODS.join(', ')}`)
}

function countOf(field: string, value: number, max: number): number {
  return Number.isSafeInteger(value) && value >= 1 && value <= max
    ? value
    : reject(`${field} must be a whole number from 1 to ${max}`)
}

function reject(rule: string): never {
  throw new TurnstepError('invalid-config', `httpFetch: ${rule}.`)
}
