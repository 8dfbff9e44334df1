/**
 * JSON over HTTP to the gateway that served this page.
 */
import { credentials } from './credentials.ts'
import { problemOf, unreachable } from './problem.ts'

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly body?: unknown
  readonly signal?: AbortSignal
}

/** Fails with an ApiProblem, also when no answer came. */
export async function request<T>(path: string, options: RequestOptions = {}): Promise<T> {
  const { method = 'GET', body, signal } = options
  let response: Response
  try {
    response = await fetch(path, {
      method,
      headers: {
        accept: 'application/json',
        ...credentials(),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    })
  } catch (error) {
    if (signal?.aborted === true) throw error
    throw unreachable()
  }
  if (!response.ok) throw await problemOf(response)
  try {
    return (await response.json()) as T
  } catch {
    throw unreachable()
  }
}

/** An address below /v1/sessions. Ids are of an alphabet that needs no escaping; what is not is escaped. */
export function sessionPath(session: string, ...parts: readonly string[]): string {
  return ['/v1/sessions', session, ...parts]
    .map((part, index) => (index === 0 ? part : encodeURIComponent(part)))
    .join('/')
}
