/**
 * Which URLs may be fetched, by what an operator has written down.
 */
import { isIP } from 'node:net'
import { TurnstepError } from '../../../core/errors.ts'
import { clip } from '../../../core/printable-text.ts'
import { kindOfAddress } from './address-kind.ts'
import { HttpFetchError } from './http-fetch-error.ts'

export interface HostRules {
  /** The entries as they were written, for the model. */
  readonly shown: readonly string[]
  /**
   * A URL without fragment and with the plain name of its host. Fails with {@link HttpFetchError} unless it may be
   * fetched. The addresses of a name are not looked at here.
   */
  admit(url: string, base?: URL): URL
  /** Whether a host's name may lead to this address. */
  allowsAddress(url: URL, address: string): boolean
}

/** One entry: a host, or all hosts below a name. */
interface Entry {
  readonly host: string
  readonly isSuffix: boolean
  /** Undefined: the default port of the scheme. */
  readonly port: string | undefined
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }
const MAX_URL_LENGTH = 8_192

/** Fails with `invalid-config`, naming the entry. */
export function createHostRules(allow: readonly string[], allowPrivate: readonly string[]): HostRules {
  const entries = parseAll('allow', allow)
  const privates = parseAll('allowPrivate', allowPrivate)
  const unclear = privates.findIndex(({ isSuffix, port }) => isSuffix || port === undefined)
  if (unclear !== -1)
    reject('allowPrivate', unclear, 'must be one host with its port, such as 127.0.0.1:8080')
  const mayBePrivate = (url: URL): boolean => privates.some((entry) => matches(entry, url))
  const shown = [...allow, ...allowPrivate]

  return {
    shown,
    admit(text, base) {
      const url = parseUrl(text, base)
      if (!entries.some((entry) => matches(entry, url)) && !mayBePrivate(url)) throw notAllowed(url, shown)
      const isPrivate = mayBePrivate(url)
      if (isLocalName(url.hostname) && !isPrivate) throw notPublic(url)
      const literal = literalAddress(url)
      if (literal !== undefined && !isAllowed(literal, isPrivate)) throw notPublic(url)
      return url
    },
    allowsAddress: (url, address) => isAllowed(address, mayBePrivate(url)),
  }
}

export function notPublic(url: URL): HttpFetchError {
  return new HttpFetchError(`${url.host} is at an address that is not public, which may not be fetched from.`)
}

function isAllowed(address: string, mayBePrivate: boolean): boolean {
  const kind = kindOfAddress(address)
  return kind === 'public' || (kind === 'private' && mayBePrivate)
}

function matches({ host, isSuffix, port }: Entry, url: URL): boolean {
  const isHost = isSuffix ? url.hostname.endsWith(`.${host}`) : url.hostname === host
  const ownPort = url.port === '' ? DEFAULT_PORTS[url.protocol] : url.port
  return isHost && ownPort === (port ?? DEFAULT_PORTS[url.protocol])
}

function parseUrl(text: string, base: URL | undefined): URL {
  const url =
    text.length <= MAX_URL_LENGTH && URL.canParse(text, base?.href) ? new URL(text, base) : undefined
  if (url === undefined)
    throw new HttpFetchError('The URL is not one: it must be absolute, such as https://host/path.')
  if (!(url.protocol in DEFAULT_PORTS))
    throw new HttpFetchError(
      `URLs of the scheme ${clip(url.protocol, 40)} cannot be fetched, only http and https.`,
    )
  if (url.username !== '' || url.password !== '')
    throw new HttpFetchError('A URL with a user name or password in it may not be fetched.')
  url.hash = ''
  url.hostname = withoutFinalDot(url.hostname)
  return url
}

function notAllowed(url: URL, shown: readonly string[]): HttpFetchError {
  const allowed = shown.length === 0 ? 'no host is' : `allowed: ${clip(shown.join(', '), 250)}`
  return new HttpFetchError(`${clip(url.host, 100)} is not among the allowed hosts (${allowed}).`)
}

/** The address that a URL names itself, without a name service. */
function literalAddress(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(host) === 0 ? undefined : host
}

function isLocalName(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost')
}

function withoutFinalDot(hostname: string): string {
  return hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
}

function parseAll(field: string, list: readonly string[]): readonly Entry[] {
  if (!Array.isArray(list))
    throw new TurnstepError('invalid-config', `httpFetch: ${field} must be a list of hosts.`)
  return list.map(
    (text, index) => parseEntry(text) ?? reject(field, index, 'must be a host, *.host or host:port'),
  )
}

function parseEntry(text: unknown): Entry | undefined {
  const parts = /^(\*\.)?(\[[0-9a-f:.]+\]|[^\s:/?#@\\[\]*%]+)(?::(\d{1,5}))?$/i.exec(String(text))
  const [, star, name = '', port] = parts ?? []
  if (parts === null || !URL.canParse(`http://${name}`)) return undefined
  const host = withoutFinalDot(new URL(`http://${name}`).hostname)
  const isSuffix = star !== undefined
  // All hosts of a top-level domain, or below an address, cannot be meant.
  if (isSuffix && (!host.includes('.') || isIP(host) !== 0)) return undefined
  return host === '' || Number(port ?? 1) === 0 || Number(port ?? 1) > 65_535
    ? undefined
    : { host, isSuffix, port: port && String(Number(port)) }
}

function reject(field: string, index: number, rule: string): never {
  throw new TurnstepError('invalid-config', `httpFetch: ${field}[${index}] ${rule}.`)
}
