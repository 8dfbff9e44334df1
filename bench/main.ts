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
  if (process.argv.includes('--help')) {
    console.log(help())
    return 0
  }
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
  let failed = 0
  try {
    for (const scenario of scenarios) {
      const result = await play(scenario, world)
      if (result === undefined) failed += 1
      else results.push(result)
    }
  } finally {
    await world.close()
    if (options.jsonPath !== undefined)
      writeFileSync(options.jsonPath, `${JSON.stringify({ conditions, results }, null, 2)}\n`)
  }
  return failed === 0 ? 0 : 1
}

/** Runs a scenario and prints its table; undefined when it failed, which stops no other. */
async function play({ name, title, run }: Scenario, world: World): Promise<Result | undefined> {
  try {
    const figures = await run(world)
    console.log(`\n${renderTable(`${name}: ${title}`, figures)}`)
    return { scenario: name, figures }
  } catch (error) {
    console.error(`\n${name} failed: ${error instanceof Error ? error.stack : String(error)}`)
    return undefined
  }
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
    console.error(`${messageOf(error)}\n\n${help()}`)
    return undefined
  }
}

function help(): string {
  const list = SCENARIOS.map(({ name, title }) => `  ${name.padEnd(10)}  ${title}`)
  return [USAGE, '', 'Scenarios, all of them if none is named:', ...list].join('\n')
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
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
