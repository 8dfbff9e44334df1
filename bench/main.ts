/**
 * The benchmark: `npm run bench -- --help`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, release } from 'node:os'
import type { Arguments } from './arguments.ts'
import { readArguments, USAGE } from './arguments.ts'
import type { Figure } from './figure.ts'
import { renderTable } from './figure.ts'
import type { Scenario } from './scenario.ts'
import { SCENARIOS } from './scenarios/index.ts'
import { World } from './world/world.ts'

interface Result {
  readonly scenario: string
  readonly figures: readonly Figure[]
}

async function main(): Promise<number> {
  const chosen = choose(process.argv.slice(2))
  if (chosen === undefined) return 2
  const { options, scenarios } = chosen
  const { quick, profileFolder } = options
  const conditions = conditionsOf(options)
  console.log(describeConditions(conditions))
  const world = await World.open({
    quick,
    log: (line) => console.log(line),
    ...(profileFolder === undefined ? {} : { profileFolder }),
  })
  const results: Result[] = []
  try {
    for (const { name, title, run } of scenarios) {
      const figures = await run(world)
      results.push({ scenario: name, figures })
      console.log(`\n${renderTable(`${name}: ${title}`, figures)}`)
    }
  } finally {
    await world.close()
    if (options.jsonPath !== undefined)
      writeFileSync(options.jsonPath, `${JSON.stringify({ conditions, results }, null, 2)}\n`)
  }
  return 0
}

function choose(
  args: readonly string[],
): { readonly options: Arguments; readonly scenarios: readonly Scenario[] } | undefined {
  try {
    const options = readArguments(args)
    const unknown = options.scenarios.find((name) => !SCENARIOS.some((scenario) => scenario.name === name))
    if (unknown !== undefined) throw new Error(`There is no scenario ${unknown}.`)
    const scenarios = SCENARIOS.filter(
      ({ name }) => options.scenarios.length === 0 || options.scenarios.includes(name),
    )
    return { options, scenarios }
  } catch (error) {
    const list = SCENARIOS.map(({ name, title }) => `  ${name.padEnd(16)}  ${title}`).join('\n')
    console.error(
      `${error instanceof Error ? error.message : String(error)}\n${USAGE}\n\nScenarios:\n${list}`,
    )
    return undefined
  }
}

function conditionsOf({ quick }: Arguments) {
  const root = new URL('../package.json', import.meta.url)
  const { version } = JSON.parse(readFileSync(root, 'utf8')) as { readonly version: string }
  return {
    turnstep: version,
    node: process.versions.node,
    platform: `${process.platform} ${release()}`,
    cores: cpus().length,
    loadBefore: loadavg()[0] ?? 0,
    quick,
    at: new Date().toISOString(),
  }
}

function describeConditions(conditions: ReturnType<typeof conditionsOf>): string {
  const { turnstep, node, platform, cores, loadBefore, quick } = conditions
  const load =
    loadBefore > 0.5
      ? `load ${loadBefore.toFixed(1)}: times are upper bounds, compare ratios`
      : 'machine idle'
  return `turnstep ${turnstep}, Node.js ${node}, ${platform}, ${cores} cores, ${load}${quick ? ', quick' : ''}`
}

process.exitCode = await main()
