/**
 * `npm test -- ARGS`: the whole suite, or what ARGS select, once. What needs dist/ builds it (test/support).
 */
import './setup/node-version.mjs'
import { orExit } from './setup/failure.mjs'
import { handOver } from './setup/hand-over.mjs'
import { inRoot, root } from './setup/paths.mjs'
import { ensureDependencies } from './setup/ready.mjs'

await orExit(() => ensureDependencies())
process.chdir(root)
await handOver(inRoot('node_modules', 'vitest', 'vitest.mjs'), ['run', ...process.argv.slice(2)])
