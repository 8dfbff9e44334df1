import type { OpenAiSettings } from '../config.ts'

export type ListedModels =
  | { readonly kind: 'listed'; readonly names: readonly string[] }
  /** `problem` is a part of a sentence: what came instead. */
  | { readonly kind: 'failed'; readonly problem: string }

const TIMEOUT_MS = 5_000

/** Asks a provider which models it has (`GET /models`). Never fails: what went wrong is part of the answer. */
export async function listModels(openai: OpenAiSettings): Promise<ListedModels> {
  const baseUrl = (openai.baseUrl ?? 'https://api.openai.com/v1').replace(/\/+$/, '')
  const headers: Record<string, string> =
    openai.apiKey === undefined ? {} : { authorization: `Bearer ${openai.apiKey}` }
  try {
    const response = await fetch(`${baseUrl}/models`, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) })
    if (!response.ok) return { kind: 'failed', problem: `it answers with status ${response.status}` }
    return { kind: 'listed', names: namesIn(await response.json()) }
  } catch (error) {
    return { kind: 'failed', problem: problemOf(error) }
  }
}

function namesIn(body: unknown): readonly string[] {
  const data = typeof body === 'object' && body !== null && 'data' in body ? body.data : undefined
  if (!Array.isArray(data)) return []
  return data.flatMap((item: unknown) =>
    typeof item === 'object' && item !== null && 'id' in item && typeof item.id === 'string' ? [item.id] : [],
  )
}

function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return `it does not answer within ${TIMEOUT_MS / 1_000} seconds`
  if (error instanceof SyntaxError) return 'it answers with something that is not JSON'
  const { cause } = error
  if (!(cause instanceof Error)) return error.message
  return 'code' in cause && typeof cause.code === 'string'
    ? `it cannot be reached (${cause.code})`
    : cause.message
}
