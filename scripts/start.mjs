/**
 * `npm start -- ARGS`: the command line of turnstep from a clone, in the folder where npm was called.
 */
import './setup/node-version.mjs'
import { orExit } from './setup/failure.mjs'
import { handOver } from './setup/hand-over.mjs'
import { inRoot } from './setup/paths.mjs'
import { ensureReady } from './setup/ready.mjs'

await orExit(() => ensureReady())
const args = process.argv.slice(2)
if (process.env['INIT_CWD'] !== undefined) process.chdir(process.env['INIT_CWD'])
await handOver(inRoot('dist', 'cli', 'main.js'), args.length === 0 ? ['start'] : args)
