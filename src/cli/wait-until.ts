import { setTimeout as delay } from 'node:timers/promises'

const INTERVAL_MS = 25

/** Polls a condition until it holds or the time is over; says which. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  timeoutMs: number,
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  while (!(await condition())) {
    if (performance.now() >= deadline) return false
    await delay(INTERVAL_MS)
  }
  return true
}
