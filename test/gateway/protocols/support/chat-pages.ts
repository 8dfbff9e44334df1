import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll } from 'vitest'

const PAGE = fileURLToPath(new URL('chat-page.mjs', import.meta.url))
const EXECUTABLE = '/usr/bin/chromium'

/** Pages of an application elsewhere, in a real browser. */
export interface ChatPages {
  readonly origin: string
  /** A new page with a chat. */
  open(api: string, id: string): Promise<Page>
}

/** Bundles the page and serves it, from an origin of its own. */
export async function chatPages(): Promise<ChatPages> {
  const script = await bundle()
  const server = createServer((request, response) => {
    const isScript = request.url === '/page.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? script : '<!doctype html><div id="root"></div><script src="/page.js"></script>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let browser: Browser
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox'] })
  })
  afterAll(async () => {
    await browser?.close()
    server.close()
  })
  return {
    origin,
    async open(api, id) {
      const page = await browser.newPage()
      page.setDefaultTimeout(20_000)
      await page.goto(`${origin}/?${new URLSearchParams({ api, id }).toString()}`)
      return page
    },
  }
}

async function bundle(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { write: false, minify: false, rolldownOptions: { input: PAGE, output: { format: 'iife' } } },
  })
  const outputs = Array.isArray(built) ? built : [built]
  const chunks = outputs.flatMap((one) => ('output' in one ? one.output : []))
  return chunks.flatMap((chunk) => (chunk.type === 'chunk' ? [chunk.code] : [])).join('\n')
}
