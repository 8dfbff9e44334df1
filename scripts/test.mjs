/**
 * `npm test -- ARGS`: the whole suite, or what ARGS select, once.
 */
import './setup/node-version.mjs'
import { orExit } from './setup/failure.mjs'
import { handOver } from './setup/hand-over.mjs'
import { inRoot, root } from './setup/paths.mjs'
import { ensureReady } from './setup/ready.mjs'

await orExit(() => ensureReady())
process.chdir(root)
await handOver(inRoot('node_modules', 'vitest', 'vitest.mjs'), ['run', ...process.argv.slice(2)])
