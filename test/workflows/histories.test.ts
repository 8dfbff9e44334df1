import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import { Worker } from '@temporalio/worker'
import { DeterminismViolationError } from '@temporalio/workflow'
import { describe, expect, it } from 'vitest'
import { recordHistories } from './record-histories.ts'

const FOLDER = fileURLToPath(new URL('./histories', import.meta.url))
const pathOf = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))

/** `RECORD_HISTORIES=1 npx vitest run --project server test/workflows/histories` adds those that are missing. */
const isRecording = process.env['RECORD_HISTORIES'] === '1'

const corpus = (): readonly string[] => readdirSync(FOLDER).filter((name) => name.endsWith('.json'))
const read = (name: string): unknown => JSON.parse(readFileSync(join(FOLDER, name), 'utf8'))

async function replay(history: unknown): Promise<void> {
  await Worker.runReplayHistory(
    {
      workflowBundle: { codePath: pathOf('../../dist/workflow-bundle.js') },
      dataConverter: { payloadConverterPath: pathOf('../../dist/workflows/payload-converter.js') },
    },
    history,
    'turnstep:default:recorded',
  )
}

describe.runIf(isRecording)('recording histories', () => {
  it('adds those that are missing', { timeout: 300_000 }, async () => {
    mkdirSync(FOLDER, { recursive: true })
    const known = new Set(corpus())
    for (const [name, history] of await recordHistories()) {
      if (!known.has(`${name}.json`)) writeFileSync(join(FOLDER, `${name}.json`), serialize(history))
    }
  })
})

describe('a recorded history', () => {
  it.each(corpus())('%s replays', async (name) => {
    await replay(read(name))
  })

  it('does not replay when the workflow would have done something else', async () => {
    const other = JSON.stringify(read('standard-example.json')).replaceAll('"callModel"', '"askModel"')
    await expect(replay(JSON.parse(other))).rejects.toBeInstanceOf(DeterminismViolationError)
  })
})

/** One event a line, without what only says where it was recorded. */
function serialize(history: unknown): string {
  const json = historyToJSON(history as Parameters<typeof historyToJSON>[0])
  const { events } = JSON.parse(json) as { readonly events: readonly unknown[] }
  const lines = events.map((event) => JSON.stringify(event, withoutPlace))
  return `{"events":[\n${lines.join(',\n')}\n]}\n`
}

function withoutPlace(name: string, value: unknown): unknown {
  if (name === 'stackTrace') return undefined
  if (name === 'identity') return 'recorder'
  return typeof value === 'string' ? value.replace(/\d+@[^#]+#\d+/, 'recorder') : value
}
