import { spawn } from 'node:child_process'
import { inRoot, root } from './paths.mjs'

/**
 * Runs a program in the clone to its end, without standard input, and collects what it prints.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {{ onOutput?: (text: string) => void, env?: NodeJS.ProcessEnv }} [options] `onOutput` gets the output as it
 *   comes, too; `env` is added to ours
 * @returns {Promise<{ code: number, output: string }>} never fails: a program that is not there has code 127
 */
export function runCommand(program, args, { onOutput, env } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    /** @param {Buffer} chunk */
    const read = (chunk) => {
      const text = chunk.toString('utf8')
      output += text
      onOutput?.(text)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.on('error', (error) => resolve({ code: 127, output: `${output}${error.message}\n` }))
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}

/**
 * Runs a JavaScript program of a dependency, without colours.
 *
 * @param {string} module path below node_modules
 * @param {string[]} args
 */
export function runTool(module, args) {
  return runCommand(process.execPath, [inRoot('node_modules', module), ...args], { env: { NO_COLOR: '1' } })
}
