import type { Scenario } from '../scenario.ts'
import { abort } from './abort.ts'
import { delta } from './delta.ts'
import { followup } from './followup.ts'
import { growth } from './growth.ts'
import { history } from './history.ts'
import { recovery } from './recovery.ts'
import { sessions } from './sessions.ts'
import { start } from './start.ts'
import { steps } from './steps.ts'
import { store } from './store.ts'
import { streams } from './streams.ts'
import { tools } from './tools.ts'

/** All scenarios, in the order in which they run. */
export const SCENARIOS: readonly Scenario[] = [
  steps,
  growth,
  history,
  followup,
  delta,
  streams,
  abort,
  recovery,
  start,
  sessions,
  store,
  tools,
]
