import { spawn, spawnSync } from 'node:child_process'
import type { Place } from './place.ts'
import { MAIN, WatchedProcess } from './turnstep-command.ts'

/** Whether this machine has the `script` of util-linux, which gives a program a terminal. */
export const hasTerminals =
  process.platform === 'linux' &&
  /util-linux/.test(spawnSync('script', ['--version']).stdout?.toString() ?? '')

/** Keys as a terminal sends them. */
export const KEY = { enter: '\r', ctrlC: '\u0003', ctrlD: '\u0004' } as const

/** Starts a command on a terminal of its own, whose output is all in `stdout`; `type` presses keys. */
export function startInTerminal(place: Place, ...args: string[]): WatchedProcess {
  const command = [process.execPath, MAIN, ...args].map((word) => `'${word}'`).join(' ')
  const env = { ...place.env, TERM: 'xterm', SHELL: '/bin/sh' }
  return new WatchedProcess(
    spawn('script', ['-qfec', `stty rows 40 cols 80; ${command}`, '/dev/null'], { cwd: place.folder, env }),
  )
}

/** What was printed, without cursor movements and colours. */
export function plain(output: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control sequences are what is looked for.
  return output.replaceAll(/\u001B\[[0-9;?]*[A-Za-z]/g, '').replaceAll('\r\n', '\n')
}
