/**
 * Bodies, read once, within bounds, before any route sees them; of nobody who is not known, whose reading would cost
 * whatever they like.
 */
import type { MiddlewareHandler } from 'hono'
import type { GatewayDeps, GatewayEnv } from '../gateway-deps.ts'
import { HttpProblem, problemOf } from '../problem.ts'
import { jsonProblem } from './json-problem.ts'
import { identify } from './requires.ts'

/** The last of them cannot even be made a `Request` of; no route takes it. */
const WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

const JSON_TYPE = /^application\/(?:[a-z.-]+\+)?json\s*(?:;|$)/i

/** Reads the body of a request that has one. Refuses what is too large, no UTF-8, no JSON, or JSON that is no plain data. */
export function readBody(deps: GatewayDeps): MiddlewareHandler<GatewayEnv> {
  return async (c, next) => {
    if (WITHOUT_BODY.has(c.req.method)) return next()
    const { limits } = deps
    await identify(c, deps)
    const bytes = await readBytes(c.req.raw.body, limits.bodyBytes)
    const text = decode(bytes)
    if (JSON_TYPE.test(c.req.header('content-type') ?? '')) {
      const problem = jsonProblem(text, limits.jsonDepth)
      if (problem !== undefined) throw new HttpProblem(problemOf('invalid-json', problem))
    } else if (bytes.byteLength > 0)
      throw new HttpProblem(
        problemOf('unsupported-media-type', 'A body is JSON: set Content-Type to application/json.'),
      )
    const { url, method, headers, signal } = c.req.raw
    c.req.raw = new Request(url, { method, headers, signal, body: bytes.byteLength > 0 ? bytes : null })
    return next()
  }
}

async function readBytes(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  if (body === null) return new Uint8Array(0)
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > limit)
      throw new HttpProblem(problemOf('payload-too-large', `A body has ${limit} bytes at most.`), {
        connection: 'close',
      })
    chunks.push(chunk)
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.byteLength
  }
  return whole
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new HttpProblem(problemOf('invalid-json', 'The body is not UTF-8.'))
  }
}
