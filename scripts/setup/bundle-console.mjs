/**
 * Bundles the console for browsers: `node bundle-console.mjs TARGET MODULES`. Writes to MODULES which of our sources
 * outside src/console went in, as JSON, so that the build knows when to bundle anew.
 */
import { writeFileSync } from 'node:fs'
import { build } from 'vite'
import { inRoot } from './paths.mjs'

const [target = '', modules = ''] = process.argv.slice(2)
// Whatever this is built for: tests, say, look at the page that is shipped.
process.env['NODE_ENV'] = 'production'
const consoleRoot = inRoot('src', 'console')
const sources = inRoot('src')
/** @type {Set<string>} */
const found = new Set()

await build({
  root: consoleRoot,
  configFile: false,
  logLevel: 'warn',
  build: {
    outDir: target,
    emptyOutDir: true,
    // What a browser of the last years has; nothing is inlined that the content security policy would refuse.
    target: ['chrome111', 'firefox119', 'safari16.4'],
    assetsInlineLimit: 0,
    modulePreload: false,
    reportCompressedSize: false,
  },
  plugins: [
    {
      name: 'turnstep-modules',
      generateBundle() {
        for (const id of this.getModuleIds()) if (id.startsWith(sources)) found.add(id)
      },
    },
  ],
})

const outside = [...found].filter((id) => !id.startsWith(consoleRoot)).map((id) => id.slice(inRoot().length))
writeFileSync(modules, JSON.stringify(outside.sort()))
