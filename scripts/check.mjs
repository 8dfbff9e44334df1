/**
 * `npm run check`: all static gates, two at a time. Prints what a failing one says, and ends with a plain count.
 */
import './setup/node-version.mjs'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { orExit } from './setup/failure.mjs'
import { inRoot, root } from './setup/paths.mjs'
import { ensureReady } from './setup/ready.mjs'
import { runCommand, runTool } from './setup/run-command.mjs'

/** @typedef {{ name: string, run: () => Promise<{ code: number, output: string }> }} Gate */

/** @type {Gate[]} the slow ones first */
const gates = [
  {
    name: 'type-aware lint (eslint)',
    run: () => runTool('eslint/bin/eslint.js', ['.', '--max-warnings', '0']),
  },
  { name: 'types (tsc)', run: () => runTool('typescript/bin/tsc', ['-p', 'tsconfig.check.json']) },
  { name: 'types of the console (tsc)', run: () => runTool('typescript/bin/tsc', ['-p', 'src/console']) },
  { name: 'package (publint, attw)', run: checkPackage },
  {
    name: 'layers (dependency-cruiser)',
    run: () =>
      runTool('dependency-cruiser/bin/dependency-cruise.mjs', [
        'src',
        'test',
        'bench',
        'scripts',
        '--config',
        '.dependency-cruiser.mjs',
      ]),
  },
  { name: 'unused code (knip)', run: () => runTool('knip/bin/knip.js', []) },
  {
    name: 'format and lint (biome)',
    run: () => runTool('@biomejs/biome/bin/biome', ['ci', '--colors=off', '--error-on-warnings', '.']),
  },
  { name: 'lock file without addresses', run: checkLockFile },
]

/** Packs what would be published, once, and lets both tools look at it. */
async function checkPackage() {
  const folder = mkdtempSync(join(tmpdir(), 'turnstep-package-'))
  try {
    const packed = await runCommand('npm', [
      'pack',
      '--ignore-scripts',
      '--silent',
      '--pack-destination',
      folder,
    ])
    if (packed.code !== 0) return packed
    const tarball = join(folder, readdirSync(folder)[0] ?? '')
    const publint = await runTool('publint/src/cli.js', ['run', tarball, '--strict'])
    if (publint.code !== 0) return publint
    return await runTool('@arethetypeswrong/cli/dist/index.js', [
      tarball,
      '--profile',
      'esm-only',
      '--no-color',
    ])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A lock file with addresses of one registry cannot be used with another. */
async function checkLockFile() {
  const lines = readFileSync(inRoot('package-lock.json'), 'utf8').split('\n')
  const found = lines.filter((line) => line.includes('"resolved": "http'))
  return { code: found.length === 0 ? 0 : 1, output: found.slice(0, 3).join('\n') }
}

/**
 * @param {Gate} gate
 * @returns {Promise<boolean>}
 */
async function pass({ name, run }) {
  const startedAt = Date.now()
  const { code, output } = await run()
  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1)
  console.log(`${code === 0 ? '✓' : '✗'} ${name} (${seconds} s)`)
  if (code !== 0) console.log(output.trimEnd().replace(/^/gm, '    '))
  return code === 0
}

await orExit(() => ensureReady())
process.chdir(root)

const queue = [...gates]
let passed = 0
const work = async () => {
  for (let gate = queue.shift(); gate !== undefined; gate = queue.shift()) {
    if (await pass(gate)) passed += 1
  }
}
await Promise.all([work(), work()])
console.log(`gates: ${passed} passed, ${gates.length - passed} failed`)
process.exitCode = passed === gates.length ? 0 : 1
