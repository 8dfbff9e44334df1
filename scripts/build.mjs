/**
 * `npm run build`: dist/ with types checked.
 */
import './setup/node-version.mjs'
import { orExit } from './setup/failure.mjs'
import { rebuild } from './setup/ready.mjs'

await orExit(() => rebuild())
