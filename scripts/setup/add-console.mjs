/**
 * The console's part of dist/: bundled by Vite, or taken from the previous dist/ when nothing that goes in has changed.
 */
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { SetupFailure } from './failure.mjs'
import { hashFiles, listFiles } from './hash-files.mjs'
import { inRoot, root } from './paths.mjs'
import { runCommand, runTool } from './run-command.mjs'

const bundler = inRoot('scripts', 'setup', 'bundle-console.mjs')
const folderName = 'console'

/** @typedef {{ fingerprint: string, modules: string[] }} ConsoleStamp what went in; `modules` are outside src/console */

/**
 * @param {{ next: string, dist: string, before: ConsoleStamp | undefined }} folders
 * @returns {Promise<ConsoleStamp>}
 */
export async function addConsole({ next, dist, before }) {
  const target = join(next, folderName)
  const previous = join(dist, folderName)
  if (before !== undefined && existsSync(previous) && fingerprintOf(before.modules) === before.fingerprint) {
    cpSync(previous, target, { recursive: true })
    return before
  }
  const list = join(next, '.console-modules.json')
  const { code, output } = await runCommand(process.execPath, [bundler, target, list])
  if (code !== 0) throw new SetupFailure(`The console cannot be bundled:\n${output}`)
  const modules = JSON.parse(readFileSync(list, 'utf8'))
  rmSync(list)
  return { fingerprint: fingerprintOf(modules), modules }
}

/** Fails with what does not fit in the console's types. */
export async function checkConsoleTypes() {
  const { code, output } = await runTool('typescript/bin/tsc', ['-p', 'src/console'])
  if (code !== 0) throw new SetupFailure(`The console's sources do not compile:\n${output}`)
}

/** @param {string[]} modules relative to the clone */
function fingerprintOf(modules) {
  const outside = modules.map((module) => inRoot(module)).filter((path) => existsSync(path))
  return hashFiles(
    [...listFiles(inRoot('src', 'console')), ...outside, bundler, inRoot('package-lock.json')],
    root,
  )
}
