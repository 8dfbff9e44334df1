/**
 * What a worker does for a call beyond calling the tool's function: find and validate, claim, finalize, receipt.
 */
import { join } from 'node:path'
import type { Figure } from '../../figure.ts'
import { sizeName } from '../../figure.ts'
import { median } from '../../statistics.ts'
import { Child } from '../../world/child.ts'
import type { World } from '../../world/world.ts'

/** Microseconds of each call. */
export interface CallTimes {
  readonly total: readonly number[]
  /** Of it, in reads of the store. */
  readonly reads: readonly number[]
  /** Of it, in the commits of claim and receipt. */
  readonly commits: readonly number[]
  /** The tool's function alone. */
  readonly alone: readonly number[]
}

const SIZES = [200, 4_000, 100_000]
const WARM_UP = 200

export async function measurePipeline(world: World): Promise<readonly Figure[]> {
  const child = await Child.start('processes/pipeline.mjs', {
    databasePath: join(world.folder, 'pipeline.db'),
  })
  const measure = (count: number, bytes: number, isRedacted: boolean) =>
    child.call<CallTimes>('measure', { count, bytes, isRedacted })
  try {
    for (const bytes of SIZES) await measure(WARM_UP, bytes, true)
    const figures: Figure[] = []
    for (const isRedacted of [false, true]) {
      for (const bytes of SIZES) {
        const name = `${sizeName(bytes)}, ${isRedacted ? 'redacted' : 'redaction off'}`
        figures.push(...figuresOf(name, await measure(world.pick(200, 1_000), bytes, isRedacted)))
      }
    }
    return figures
  } finally {
    await child.stop()
  }
}

function figuresOf(name: string, { total, reads, commits, alone }: CallTimes): readonly Figure[] {
  const [totalUs, aloneUs] = [median(total), median(alone)]
  const figure = (what: string, value: number): Figure => ({ name: `${what}, ${name}`, unit: 'µs', value })
  const rest = total.map((us, call) => us - (reads[call] ?? 0) - (commits[call] ?? 0))
  return [
    { ...figure('a call, p50', totalUs), others: { 'function alone': aloneUs } },
    figure('… two commits', median(commits)),
    figure('… reads of the store', median(reads)),
    figure('… everything else', median(rest)),
  ]
}
