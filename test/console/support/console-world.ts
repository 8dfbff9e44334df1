import { fileURLToPath } from 'node:url'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { afterAll, beforeAll, vi } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/core/agent.ts'
import { authenticateLocally } from '../../../src/gateway/auth/local.ts'
import type { Authenticate } from '../../../src/gateway/auth/principal.ts'
import { readConsoleFiles } from '../../../src/gateway/console-files.ts'
import { createGateway } from '../../../src/gateway/create-gateway.ts'
import { type ServedGateway, serveGateway } from '../../../src/gateway/serve-gateway.ts'
import { TurnWorld, type WorldOptions } from '../../support/turn-world.ts'

const EXECUTABLE = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
/** As in the link that `turnstep start` prints. */
const TOKEN = 'token-of-this-start'
const CONSOLE = fileURLToPath(new URL('../../../dist/console', import.meta.url))

/** How long a page may take for what it is expected to show. */
const PATIENCE_MS = 30_000

/** The console as it is shipped, in a real browser, before a gateway with a real worker and a scripted model. */
export interface ConsoleWorld {
  readonly world: TurnWorld
  readonly url: string
  /** Where the Session of a page is, by its address. */
  sessionOf(page: Page): string
  /** A page of a browser profile of its own, at an address of the console; it has the cookie that the link brings. */
  openPage(path?: string, options?: BrowserContextOptions): Promise<ConsolePage>
  /** The same without the cookie. */
  openForeignPage(path?: string): Promise<ConsolePage>
  /** Stops answering on the port, and answers there again. */
  stopGateway(): Promise<void>
  startGateway(): Promise<void>
}

export interface ConsolePage {
  readonly page: Page
  readonly context: BrowserContext
  /** What the page wrote to its console as an error, or threw; violations of its policy among them. */
  readonly complaints: readonly string[]
}

/** Opens all of it before the tests of a file and closes it after them. */
export function consoleWorld(
  options: WorldOptions,
  authenticate: Authenticate = authenticateLocally({ token: TOKEN, corsOrigins: [] }),
): ConsoleWorld {
  // A browser beside worker and server on a small machine takes its time.
  vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
  let world: TurnWorld
  let browser: Browser
  let served: ServedGateway
  let port = 0
  const serve = async (): Promise<void> => {
    const files = await readConsoleFiles(CONSOLE)
    if (files === undefined) throw new Error(`There is no console in ${CONSOLE}: npm run build.`)
    const gateway = createGateway({
      turnstep: (tenant) => world.client.forTenant(tenant),
      authenticate,
      agents: () =>
        [{ name: 'tester', limits: options.limits }, ...(options.agents ?? [])].map(({ name, limits }) => ({
          name,
          model: 'scripted-model',
          limits: { ...DEFAULT_LIMITS, ...limits },
        })),
      version: '1.2.3',
      console: {
        files,
        settings: {
          temporalUiUrl: 'http://localhost:8233',
          namespace: 'default',
          taskQueue: world.taskQueue,
          version: '1.2.3',
        },
        token: TOKEN,
      },
    })
    served = await serveGateway(gateway, { host: '127.0.0.1', port, graceMs: 2_000 })
    port = served.port
  }
  beforeAll(async () => {
    world = await TurnWorld.open(options)
    await world.startWorker()
    await serve()
    browser = await chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox'] })
  })
  afterAll(async () => {
    await browser?.close()
    await served?.close()
    await world?.close()
  })
  return {
    get world() {
      return world
    },
    get url() {
      return served.url
    },
    sessionOf: (page) => decodeURIComponent(new URL(page.url()).pathname.replace('/sessions/', '')),
    openPage: (path = '/', more = {}) => openPage(browser, linkTo(served.url, path), more),
    openForeignPage: (path = '/') => openPage(browser, `${served.url}${path}`, {}),
    stopGateway: () => served.close(),
    startGateway: serve,
  }
}

function linkTo(url: string, path: string): string {
  const link = new URL(path, url)
  link.searchParams.set('token', TOKEN)
  return link.href
}

async function openPage(browser: Browser, url: string, options: BrowserContextOptions): Promise<ConsolePage> {
  const context = await browser.newContext({
    viewport: { width: 1200, height: 800 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
    ...options,
  })
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  await page.goto(url)
  return { page, context, complaints }
}
