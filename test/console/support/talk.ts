import type { Page } from 'playwright-core'

/** Begins a Session in the console and says something. */
export async function begin(page: Page, text: string, agent?: string): Promise<void> {
  if (agent !== undefined) await page.getByLabel('Agent').selectOption(agent)
  await page.getByRole('button', { name: 'New session' }).click()
  await write(page, text)
}

/** Writes a message and presses Enter: it is sent, or steers while a Turn runs. */
export async function write(page: Page, text: string, keys = 'Enter'): Promise<void> {
  await page.getByLabel('Message to the agent').fill(text)
  await page.getByLabel('Message to the agent').press(keys)
}

/** Waits until a Turn is shown with this sign. */
export async function untilTurn(page: Page, turn: number, sign: string): Promise<void> {
  await page.locator(`#turn-${turn} > summary`).getByText(sign).waitFor()
}

/** Waits until the phase that the page marks is this one. */
export async function untilPhase(page: Page, phase: string): Promise<void> {
  await page.locator('.rail [aria-current="step"]').getByText(phase).waitFor()
}
