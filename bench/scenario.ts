import type { Figure } from './figure.ts'
import type { World } from './world/world.ts'

/** One question that the benchmark answers, by name on the command line. */
export interface Scenario {
  readonly name: string
  readonly title: string
  run(world: World): Promise<readonly Figure[]>
}
