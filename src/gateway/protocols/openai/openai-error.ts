/** Errors as OpenAI's clients read them. */
import type { Problem } from '../../problem.ts'

export interface OpenAiError {
  readonly error: {
    readonly message: string
    readonly type: string
    readonly code: string
    /** The field of the request that is meant. */
    readonly param: string | null
  }
}

export function openAiError(
  type: string,
  message: string,
  code: string,
  param: string | null = null,
): OpenAiError {
  return { error: { message, type, code, param } }
}

const TYPE_OF_STATUS: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  413: 'invalid_request_error',
  422: 'invalid_request_error',
  429: 'rate_limit_error',
}

/** Whether a path is one of those that OpenAI's clients call. */
export function isOpenAiPath(path: string): boolean {
  return path === '/v1/models' || path === '/v1/chat/completions' || /^\/v1\/responses(\/|$)/.test(path)
}

/** A problem as OpenAI's clients read it, with the same status. An agent that is not there is a model that is not. */
export async function asOpenAiError(response: Response, param: string | null): Promise<Response> {
  const { detail, code, status } = (await response.json()) as Problem
  const isUnknownModel = code === 'unknown-agent'
  const type = TYPE_OF_STATUS[status] ?? 'server_error'
  const error = isUnknownModel
    ? openAiError('invalid_request_error', detail, 'model_not_found', 'model')
    : openAiError(type, detail, param === null ? code : 'unsupported_parameter', param)
  const headers = new Headers(response.headers)
  headers.set('content-type', 'application/json')
  headers.delete('content-length')
  return new Response(JSON.stringify(error), { status: isUnknownModel ? 404 : status, headers })
}
