import { cp, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, type WorkflowBundle } from '@temporalio/worker'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
// Below node_modules, so that the copy finds its dependencies and nothing else looks at it.
const CACHE = join(ROOT, 'node_modules', '.cache', 'turnstep')

/** A change to the built workflow code. */
export interface Mutation {
  /** Below dist/. */
  readonly file: string
  readonly from: string
  readonly to: string
}

/** The workflow bundle with some of its code changed. Fails if the code is not there to be changed. */
export async function mutantBundle(...mutations: readonly Mutation[]): Promise<WorkflowBundle> {
  await mkdir(CACHE, { recursive: true })
  const folder = await mkdtemp(join(CACHE, 'mutant-'))
  for (const part of ['core', 'workflows', 'activities']) {
    await cp(join(ROOT, 'dist', part), join(folder, part), { recursive: true })
  }
  for (const { file, from, to } of mutations) {
    const path = join(folder, file)
    const code = await readFile(path, 'utf8')
    if (!code.includes(from)) throw new Error(`${file} does not contain ${from}`)
    await writeFile(path, code.replace(from, to))
  }
  return bundleWorkflowCode({
    workflowsPath: join(folder, 'workflows', 'index.js'),
    payloadConverterPath: join(folder, 'workflows', 'payload-converter.js'),
    logger: { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {} },
  })
}
