/**
 * The command line of the benchmark.
 */
import { parseArgs } from 'node:util'

export interface Arguments {
  readonly quick: boolean
  readonly jsonPath?: string
  readonly profileFolder?: string
  /** Names of scenarios; none means all. */
  readonly scenarios: readonly string[]
}

export const USAGE = `Usage: npm run bench -- [SCENARIO…] [--quick] [--json FILE] [--profile FOLDER]

  --quick           fewer Steps and trials: minutes instead of a quarter of an hour
  --json FILE       also writes the figures there
  --profile FOLDER  also writes CPU profiles of our workers there`

/** Throws on what it does not know. */
export function readArguments(args: readonly string[]): Arguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { quick: { type: 'boolean' }, json: { type: 'string' }, profile: { type: 'string' } },
  })
  return {
    quick: values.quick === true,
    ...(values.json === undefined ? {} : { jsonPath: values.json }),
    ...(values.profile === undefined ? {} : { profileFolder: values.profile }),
    scenarios: positionals,
  }
}
