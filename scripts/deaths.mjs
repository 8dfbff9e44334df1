/**
 * `npm run test:deaths -- ARGS`: test/deaths/main.ts.
 */
import './setup/node-version.mjs'
import { orExit } from './setup/failure.mjs'
import { inRoot, root } from './setup/paths.mjs'
import { ensureReady } from './setup/ready.mjs'

await orExit(() => ensureReady())
process.chdir(root)
const main = inRoot('test', 'deaths', 'main.ts')
process.argv = [process.execPath, main, ...process.argv.slice(2)]
const { createJiti } = await import('jiti')
await createJiti(import.meta.url).import(main)
