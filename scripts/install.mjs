/**
 * Installs the dependencies where they are missing or out of date, and nothing else.
 */
import './setup/node-version.mjs'
import { orExit } from './setup/failure.mjs'
import { ensureDependencies } from './setup/ready.mjs'

await orExit(ensureDependencies)
