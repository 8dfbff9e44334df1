import type { Scenario } from '../scenario.ts'
import { steps } from './steps.ts'

/** All scenarios, in the order in which they run. */
export const SCENARIOS: readonly Scenario[] = [steps]
