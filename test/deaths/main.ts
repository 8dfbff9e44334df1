/**
 * `npm run test:deaths -- [--deaths N] [--seed S]`: worker processes are killed under Turns at every point of the
 * loop, and what the Turns have done is counted.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startTemporalServer } from '../../src/cli/temporal-server.ts'
import { environment } from '../../src/config.ts'
import { findFailures, renderTable, renderTotals } from './death-table.ts'
import { runDeaths } from './run-deaths.ts'

const USAGE = `Usage: npm run test:deaths -- [--deaths N] [--seed S]

  --deaths N  how many Turns are to die, default 1000
  --seed S    decides which Turn dies where, default a random one, which is printed`

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2))
  if (options === undefined) {
    console.error(USAGE)
    return 2
  }
  const { deaths, seed } = options
  const { temporal, cacheDir, searchPath } = environment()
  const dataDir = await mkdtemp(join(tmpdir(), 'turnstep-deaths-server-'))
  const server = await startTemporalServer({
    ...(temporal.address === undefined ? {} : { address: temporal.address }),
    ...{ namespace: temporal.namespace, dataDir, cacheDir, searchPath },
    log: (line) => console.error(line),
  })
  const again = `npm run test:deaths -- --deaths ${deaths} --seed ${seed}`
  console.log(again)
  const startedAt = Date.now()
  try {
    const { address } = server
    const report = await runDeaths({ address, deaths, seed, log: (line) => console.error(line) })
    const failures = findFailures(report)
    console.log(`\n${renderTable(report)}\n\n${renderTotals(report, failures.length)}`)
    console.log(`It took ${Math.round((Date.now() - startedAt) / 1_000)} s.`)
    if (failures.length === 0) return 0
    console.error(`\n${failures.join('\n')}\n\nThe same again: ${again}`)
    return 1
  } catch (error) {
    console.error(`${error instanceof Error ? error.stack : String(error)}\n\nThe same again: ${again}`)
    return 1
  } finally {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

function readOptions(
  args: readonly string[],
): { readonly deaths: number; readonly seed: number } | undefined {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { deaths: { type: 'string' }, seed: { type: 'string' } },
    })
    const deaths = Number(values.deaths ?? 1_000)
    const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32))
    return Number.isInteger(deaths) && deaths > 0 && Number.isInteger(seed) ? { deaths, seed } : undefined
  } catch {
    return undefined
  }
}

process.exitCode = await main()
