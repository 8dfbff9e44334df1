/** A fetch that was refused or failed; its message is written for the model, and names hosts, never paths or contents. */
export class HttpFetchError extends Error {
  override readonly name = 'HttpFetchError'
  readonly guidance: string

  constructor(message: string, guidance = 'Use another URL, or tell the user what is missing.') {
    super(message)
    this.guidance = guidance
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'could not be found: there is no such host name',
  EAI_AGAIN: 'could not be found: the name service does not answer',
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'closed the connection before its answer was whole',
  EPIPE: 'closed the connection before its answer was whole',
  ETIMEDOUT: 'could not be reached in time',
  EHOSTUNREACH: 'could not be reached',
  ENETUNREACH: 'could not be reached',
  EADDRNOTAVAIL: 'could not be reached',
  HPE_HEADER_OVERFLOW: 'sent more headers than are accepted',
  ERR_STREAM_PREMATURE_CLOSE: 'closed the connection before its answer was whole',
  Z_BUF_ERROR: 'sent a compressed answer that is cut off',
  Z_DATA_ERROR: 'sent an answer that is not compressed as it says',
}

/** Says what the network did, in terms of the host that was asked for. */
export function explainNetworkError(error: unknown, url: URL): HttpFetchError {
  if (error instanceof HttpFetchError) return error
  const code = String((error as { readonly code?: unknown } | null)?.code)
  return new HttpFetchError(`${url.host} ${REASONS[code] ?? reasonOfGroup(code)}.`)
}

function reasonOfGroup(code: string): string {
  if (code.startsWith('HPE_')) return 'answered with something that is not HTTP'
  // Brotli's own codes: ERR__ERROR_FORMAT_PADDING_2 and the like.
  if (code.startsWith('ERR__ERROR_')) return 'sent an answer that is not compressed as it says'
  if (/CERT|SIGNATURE|SSL|TLS|EPROTO/.test(code)) return 'could not prove who it is (TLS)'
  return `could not be read (${code})`
}
