/**
 * Makes sure that node_modules is there and is what package-lock.json says, for this Node.js.
 *
 * A stamp in node_modules remembers what was verified, so that the check costs one hash. Without a stamp (npm ci was
 * run by hand) npm's own record of what it installed is compared, and the native addon is loaded once.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { explainInstallFailure } from './explain-install-failure.mjs'
import { SetupFailure } from './failure.mjs'
import { inRoot } from './paths.mjs'
import { startProgress } from './progress.mjs'
import { runCommand } from './run-command.mjs'

const stampPath = inRoot('node_modules', '.turnstep-stamp')

export function areDependenciesCurrent() {
  if (!existsSync(inRoot('node_modules'))) return false
  const stamp = dependencyStamp()
  if (existsSync(stampPath) && readFileSync(stampPath, 'utf8') === stamp) return true
  if (!matchesLockFile() || !canLoadAddon()) return false
  writeFileSync(stampPath, stamp)
  return true
}

export async function installDependencies() {
  const progress = startProgress('Installing dependencies (npm ci)')
  const { code, output } = await runNpmCi(progress.update)
  progress.stop()
  if (code !== 0 || !canLoadAddon()) throw new SetupFailure(explainInstallFailure(output))
  writeFileSync(stampPath, dependencyStamp())
  progress.done('Installed the dependencies')
}

function dependencyStamp() {
  const lock = createHash('sha256')
    .update(readFileSync(inRoot('package-lock.json')))
    .digest('hex')
  return `${lock} ${process.platform} ${process.arch} node-abi-${process.versions.modules}\n`
}

/** Whether npm's record of what it installed names what the lock file names; left-out optional packages are fine. */
function matchesLockFile() {
  const recordPath = inRoot('node_modules', '.package-lock.json')
  if (!existsSync(recordPath)) return false
  const wanted = readJson(inRoot('package-lock.json')).packages
  const installed = readJson(recordPath).packages
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true
    const found = installed[path]
    return found === undefined ? entry.optional === true : found.version === entry.version
  })
}

/** Whether the one native addon that is compiled on installation works in this Node.js. */
function canLoadAddon() {
  try {
    const Database = createRequire(inRoot('package.json'))('better-sqlite3')
    new Database(':memory:').close()
    return true
  } catch {
    return false
  }
}

/**
 * @param {(detail: string) => void} report
 */
function runNpmCi(report) {
  const flags = ['--include=dev', '--no-audit', '--no-fund', '--loglevel=info', '--no-progress', '--no-color']
  const [program, args] = npmCommand(['ci', ...flags])
  const total = Object.keys(readJson(inRoot('package-lock.json')).packages).length - 1
  let fetched = 0
  return runCommand(program, args, {
    env: headersOfThisNode(),
    onOutput: (text) => {
      const script = /^npm info run (\S+) \S+ node_modules/m.exec(text)?.[1]
      fetched += text.match(/^npm http (fetch|cache) /gm)?.length ?? 0
      if (script !== undefined) report(`preparing ${script}, which may compile for some minutes`)
      else if (fetched > 0 && fetched <= total) report(`${fetched} of ${total} packages`)
    },
  })
}

/** Lets an addon that must be compiled use the headers that came with this Node.js, instead of a download. */
function headersOfThisNode() {
  const prefix = join(dirname(realpathSync(process.execPath)), '..')
  const versionHeader = join(prefix, 'include', 'node', 'node_version.h')
  if (process.env['npm_config_nodedir'] !== undefined || !existsSync(versionHeader)) return {}
  const major = /#define NODE_MAJOR_VERSION (\d+)/.exec(readFileSync(versionHeader, 'utf8'))?.[1]
  return major === process.versions.node.split('.')[0] ? { npm_config_nodedir: prefix } : {}
}

/**
 * The npm that started us, else the one on PATH.
 *
 * @param {string[]} args
 * @returns {[string, string[]]}
 */
function npmCommand(args) {
  const running = process.env['npm_execpath']
  if (running !== undefined && basename(running) === 'npm-cli.js')
    return [process.execPath, [running, ...args]]
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm', args]
}

/** @param {string} path */
function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'))
}
