import { spawn } from 'node:child_process'

export interface CommandResult {
  /** The exit code, 127 when there is no such program. */
  readonly code: number
  readonly output: string
  /** The last line that says something: mostly the reason of a failure. */
  readonly lastLine: string
}

/** Runs a program to its end without a shell or standard input. Never fails: a program that is not there has code 127. */
export type CommandRunner = (program: string, args: readonly string[]) => Promise<CommandResult>

export const runCommand: CommandRunner = (program, args) =>
  new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8')
    })
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8')
    })
    const finish = (code: number) =>
      resolve({ code, output, lastLine: output.trimEnd().split('\n').at(-1) ?? '' })
    child.on('error', (error) => {
      output += error.message
      finish(127)
    })
    child.on('close', (code) => finish(code ?? 1))
  })
