/**
 * The console: files of a folder, read once, and what the page is told of its surroundings.
 */
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { Hono } from 'hono'
import { exchangeToken } from './auth/local.ts'
import type { GatewayDeps, GatewayEnv } from './gateway-deps.ts'
import { requires } from './middleware/requires.ts'

export interface ConsoleSettings {
  readonly temporalUiUrl?: string
  readonly namespace: string
  readonly taskQueue: string
  readonly version: string
}

export interface ConsoleFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly type: string
}

/** By path, `/index.html` say. */
export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}

/** Nothing is loaded from elsewhere, nothing runs that is not a file of ours, no page frames this one. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Reads the console's folder; undefined when it was not built. */
export async function readConsoleFiles(folder: string): Promise<ConsoleFiles | undefined> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const path = join(entry.parentPath, entry.name)
        const bytes = new Uint8Array(await readFile(path))
        const type = TYPES[extname(entry.name)] ?? 'application/octet-stream'
        return [`/${relative(folder, path).split(sep).join('/')}`, { bytes, type }] as const
      }),
  )
  const found = new Map(files)
  return found.has('/index.html') ? found : undefined
}

export interface ConsoleOptions {
  readonly files: ConsoleFiles
  readonly settings: ConsoleSettings
  /** In local mode: a page with `?token=` this sets the cookie that lets it through. */
  readonly token?: string
}

/** The page at `/` and `/sessions/…`, its files, and `/console/config.json`. */
export function consoleRoutes(
  deps: GatewayDeps,
  { files, settings, token }: ConsoleOptions,
): Hono<GatewayEnv> {
  const app = new Hono<GatewayEnv>()
  app.get('/console/config.json', requires(deps, 'read'), (c) =>
    c.json({ ...settings, tenant: c.get('principal').tenant }, 200, { 'cache-control': 'no-store' }),
  )
  for (const [path, file] of files) app.get(path, () => fileResponse(path, file))
  const page = files.get('/index.html')
  if (page === undefined) return app
  const exchange = (request: Request): Response | undefined =>
    token === undefined ? undefined : exchangeToken(request, token)
  for (const path of ['/', '/sessions/*'])
    app.get(path, (c) => exchange(c.req.raw) ?? fileResponse('/index.html', page))
  return app
}

function fileResponse(path: string, { bytes, type }: ConsoleFile): Response {
  return new Response(bytes, {
    headers: {
      'content-type': type,
      // Names of what a build makes have its digest.
      'cache-control': path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      'content-security-policy': POLICY,
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    },
  })
}
