/**
 * Which Session a request of an OpenAI client is for, and under which id its input goes, so that a repetition of the
 * request runs no second Turn.
 */
import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import { TurnstepError } from '../../../core/errors.ts'
import { isId } from '../../../core/ids.ts'
import type { GatewayEnv } from '../../gateway-deps.ts'
import type { AnswerPlace } from './answer-id.ts'

/** How long a request without a key is remembered, for the client library's own repetitions. */
const REMEMBERED_MS = 15 * 60_000
const MOST_REMEMBERED = 10_000

/**
 * Requests that came without an `Idempotency-Key`. The official client repeats a request that failed on its way, and
 * says so (`X-Stainless-Retry-Count`), but sends no key: such a repetition joins the Turn of the first, as far as this
 * process remembers it.
 */
export class RecentRequests {
  readonly #places = new Map<string, AnswerPlace & { readonly atMs: number }>()

  /** The place of a repetition, or of a new request, which is remembered. */
  place(request: string, isRepetition: boolean, fresh: () => AnswerPlace): AnswerPlace {
    const nowMs = Date.now()
    const known = this.#places.get(request)
    if (isRepetition && known !== undefined && nowMs - known.atMs < REMEMBERED_MS) return known
    const place = fresh()
    this.#places.delete(request)
    this.#places.set(request, { ...place, atMs: nowMs })
    const [oldest] = this.#places.keys()
    if (this.#places.size > MOST_REMEMBERED && oldest !== undefined) this.#places.delete(oldest)
    return place
  }
}

/** The Session that the caller names: by the header `X-Turnstep-Session`, or by `session_id` in the metadata. */
export function namedSession(
  c: Context<GatewayEnv>,
  metadata: Readonly<Record<string, string>> | null | undefined,
): string | undefined {
  const named = c.req.header('x-turnstep-session') ?? metadata?.['session_id']
  if (named === undefined || isId(named)) return named
  throw new TurnstepError('invalid-input', 'A session id is 1 to 128 characters out of A-Z a-z 0-9 _ . -')
}

/**
 * Where the answer of a request will be. With an `Idempotency-Key` always the same for the same key of the same
 * principal; without a named Session, a Session of its own.
 */
export async function placeOfRequest(
  c: Context<GatewayEnv>,
  recent: RecentRequests,
  session: string | undefined,
): Promise<AnswerPlace> {
  const { tenant, name } = c.get('principal')
  const key = c.req.header('idempotency-key')
  if (key !== undefined && key !== '') {
    const id = digestOf([tenant, name, c.req.path, key])
    return { session: session ?? `openai-${id}`, inputId: `key-${id}` }
  }
  const request = digestOf([tenant, name, c.req.path, session ?? '', await c.req.text()])
  const isRepetition = Number(c.req.header('x-stainless-retry-count') ?? 0) > 0
  return recent.place(request, isRepetition, () => {
    const id = crypto.randomUUID()
    return { session: session ?? `openai-${id}`, inputId: `request-${id}` }
  })
}

function digestOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40)
}
