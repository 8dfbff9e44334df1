/**
 * Makes sure that dist/ is what the sources say: emitted by tsc, with the prebuilt workflow bundle.
 *
 * A stamp in dist/ holds the hash of everything that went in. A new dist/ is made beside the old one and then takes
 * its place, so that whoever loads the old one meanwhile finds it whole.
 */
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { SetupFailure } from './failure.mjs'
import { inRoot, root } from './paths.mjs'
import { startProgress } from './progress.mjs'
import { runCommand, runTool } from './run-command.mjs'

const dist = inRoot('dist')
const next = inRoot('dist.next')
const previous = inRoot('dist.previous')
const bundler = inRoot('scripts', 'setup', 'bundle-workflows.mjs')
const stampName = '.stamp.json'
const bundleName = 'workflow-bundle.js'

export function isBuildCurrent() {
  return readStamp().sources === hashSources()
}

/** @param {{ typeCheck: boolean }} options */
export async function build({ typeCheck }) {
  const progress = startProgress('Building')
  try {
    const sources = hashSources()
    rmSync(next, { recursive: true, force: true })
    progress.update('TypeScript')
    await emit(typeCheck)
    progress.update('workflow bundle')
    const bundle = await addWorkflowBundle()
    writeFileSync(join(next, stampName), `${JSON.stringify({ sources, bundle })}\n`)
    rmSync(previous, { recursive: true, force: true })
    if (existsSync(dist)) renameSync(dist, previous)
    renameSync(next, dist)
    rmSync(previous, { recursive: true, force: true })
    progress.done('Built dist')
  } finally {
    progress.stop()
    rmSync(next, { recursive: true, force: true })
  }
}

/** @param {boolean} typeCheck */
async function emit(typeCheck) {
  const flags = typeCheck ? ['--noEmitOnError'] : ['--noCheck']
  const { code, output } = await runTool('typescript/bin/tsc', [
    '-p',
    'tsconfig.json',
    '--outDir',
    next,
    ...flags,
  ])
  if (code !== 0) throw new SetupFailure(`The sources do not compile:\n${output}`)
  const main = join(next, 'cli', 'main.js')
  if (existsSync(main)) chmodSync(main, 0o755)
}

/** Bundles the workflows, or takes the previous bundle when nothing that goes in has changed. */
async function addWorkflowBundle() {
  const workflows = join(next, 'workflows', 'index.js')
  if (!existsSync(workflows)) return undefined
  const fingerprint = hashFiles(
    [
      ...listFiles(join(next, 'workflows'), '.js'),
      ...listFiles(join(next, 'core'), '.js'),
      bundler,
      inRoot('node_modules', '@temporalio', 'worker', 'package.json'),
    ],
    next,
  )
  const target = join(next, bundleName)
  if (readStamp().bundle === fingerprint && existsSync(join(dist, bundleName))) {
    copyFileSync(join(dist, bundleName), target)
    return fingerprint
  }
  const { code, output } = await runCommand(process.execPath, [bundler, next, target])
  if (code !== 0) throw new SetupFailure(`The workflows cannot be bundled:\n${output}`)
  return fingerprint
}

/** @returns {{ sources?: string, bundle?: string }} */
function readStamp() {
  try {
    return JSON.parse(readFileSync(join(dist, stampName), 'utf8'))
  } catch {
    return {}
  }
}

function hashSources() {
  const inputs = [
    ...listFiles(inRoot('src')),
    inRoot('scripts', 'setup', 'build.mjs'),
    bundler,
    inRoot('tsconfig.json'),
    inRoot('package-lock.json'),
  ]
  return hashFiles(inputs, root)
}

/**
 * @param {string[]} files
 * @param {string} base names count relative to this folder
 */
function hashFiles(files, base) {
  const hash = createHash('sha256')
  for (const file of files)
    hash
      .update(`${file.slice(base.length)}\0`)
      .update(readFileSync(file))
      .update('\0')
  return hash.digest('hex')
}

/**
 * @param {string} folder
 * @param {string} [suffix]
 * @returns {string[]} sorted
 */
function listFiles(folder, suffix = '') {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(suffix))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
