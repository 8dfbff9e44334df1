import { setTimeout as delay } from 'node:timers/promises'

const LOOK_EVERY_MS = 20

/** Waits until a condition outside this process's reach holds; fails after a bound. */
export async function eventually(condition: () => Promise<boolean>, timeoutMs = 20_000): Promise<void> {
  const deadline = Date.now() + timeoutMs
  while (!(await condition())) {
    if (Date.now() > deadline)
      throw new Error(`The condition did not hold within ${timeoutMs} ms: ${condition}`)
    await delay(LOOK_EVERY_MS)
  }
}
