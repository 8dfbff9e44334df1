/**
 * Makes sure that dist/ is what the sources say: emitted by tsc, with the prebuilt workflow bundle and the console.
 *
 * A stamp in dist/ holds the hash of everything that went in. A new dist/ is made beside the old one and then takes
 * its place, so that whoever loads the old one meanwhile finds it whole.
 */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { addConsole, checkConsoleTypes } from './add-console.mjs'
import { SetupFailure } from './failure.mjs'
import { hashFiles, listFiles } from './hash-files.mjs'
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
    const stamp = readStamp()
    rmSync(next, { recursive: true, force: true })
    mkdirSync(next)
    progress.update('TypeScript and console')
    const [, consoleStamp] = await Promise.all([
      emit(typeCheck),
      addConsole({ next, dist, before: stamp.console }),
      typeCheck ? checkConsoleTypes() : undefined,
    ])
    progress.update('workflow bundle')
    const bundle = await addWorkflowBundle(stamp.bundle)
    writeFileSync(join(next, stampName), `${JSON.stringify({ sources, bundle, console: consoleStamp })}\n`)
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

/**
 * Bundles the workflows, or takes the previous bundle when nothing that goes in has changed.
 *
 * @param {string | undefined} before fingerprint of what went into the previous one
 */
async function addWorkflowBundle(before) {
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
  if (before === fingerprint && existsSync(join(dist, bundleName))) {
    copyFileSync(join(dist, bundleName), target)
    return fingerprint
  }
  const { code, output } = await runCommand(process.execPath, [bundler, next, target])
  if (code !== 0) throw new SetupFailure(`The workflows cannot be bundled:\n${output}`)
  return fingerprint
}

/** @returns {{ sources?: string, bundle?: string, console?: import('./add-console.mjs').ConsoleStamp }} */
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
    ...listFiles(inRoot('scripts', 'setup')),
    inRoot('tsconfig.json'),
    inRoot('package-lock.json'),
  ]
  return hashFiles(inputs, root)
}
