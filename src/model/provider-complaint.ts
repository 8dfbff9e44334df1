/**
 * What a provider says is wrong, read out of the shapes that servers use for it.
 */
import { isRecord, type JsonRecord, nonEmpty, parseJson } from './json.ts'

export interface ProviderComplaint {
  /** HTTP status; within a stream, the status that the error stands for, if it says. */
  readonly status?: number
  readonly code?: string
  readonly type?: string
  readonly param?: string
  /** The provider's own words, possibly empty. They may quote the request: never to be shown unchecked. */
  readonly message: string
  /** The error object, for what only some providers put there. */
  readonly body: unknown
}

const MAX_MESSAGE_CHARACTERS = 4_000

/**
 * Shapes: `{ error: { … } }` (OpenAI), `{ error: "…" }` (Ollama, Hugging Face), `[{ error }]` (Google),
 * `{ object: 'error', message }` (vLLM, Mistral), `{ detail }` (FastAPI), or plain text.
 */
export function readComplaint(body: unknown, status?: number): ProviderComplaint {
  const value = typeof body === 'string' ? (parseJson(body) ?? body) : body
  const root: unknown = Array.isArray(value) ? value[0] : value
  const error: unknown =
    isRecord(root) && root['error'] !== undefined && root['error'] !== null ? root['error'] : root
  if (!isRecord(error)) return complaint({ message: typeof error === 'string' ? error : '' }, error, status)
  return complaint(error, error, status)
}

function complaint(error: JsonRecord, body: unknown, status: number | undefined): ProviderComplaint {
  const own = statusOf(error['status']) ?? statusOf(error['code']) ?? statusOf(error['status_code'])
  const known = status ?? own
  const code = typeof error['code'] === 'number' ? undefined : nonEmpty(error['code'])
  const type = nonEmpty(error['type']) ?? nonEmpty(error['status'])
  const param = nonEmpty(error['param'])
  return {
    ...(known === undefined ? {} : { status: known }),
    ...(code === undefined ? {} : { code }),
    ...(type === undefined ? {} : { type }),
    ...(param === undefined ? {} : { param }),
    message: messageOf(error).slice(0, MAX_MESSAGE_CHARACTERS),
    body,
  }
}

function statusOf(value: unknown): number | undefined {
  const status = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value
  return typeof status === 'number' && status >= 400 && status <= 599 ? status : undefined
}

function messageOf(error: JsonRecord): string {
  const { message, detail } = error
  const words = nonEmpty(message) ?? nonEmpty(detail)
  const list = Array.isArray(detail)
    ? detail
    : isRecord(message) && Array.isArray(message['detail'])
      ? message['detail']
      : []
  const details = (list as readonly unknown[]).filter(isRecord).map((item) => nonEmpty(item['msg']) ?? '')
  // OpenRouter wraps what the provider behind it said.
  const raw = isRecord(error['metadata']) ? nonEmpty(error['metadata']['raw']) : undefined
  return [words, ...details, raw].filter((part) => part !== undefined && part !== '').join(' ')
}
