import type { GatewayDeps } from '../gateway-deps.ts'

/**
 * Does what takes its time for a request: counted, and with a signal that fires when its client has gone or the
 * gateway goes.
 */
export async function waiting<T>(
  { metrics, closing }: GatewayDeps,
  request: Request,
  wait: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController()
  const end = (): void => over.abort()
  const ends = metrics.waitBegan()
  for (const signal of [request.signal, closing]) {
    if (signal.aborted) end()
    signal.addEventListener('abort', end)
  }
  try {
    return await wait(over.signal)
  } finally {
    for (const signal of [request.signal, closing]) signal.removeEventListener('abort', end)
    ends()
  }
}
