/**
 * What other processes of this machine are.
 */
import { readFileSync } from 'node:fs'
import { runCommand } from './run-command.ts'

/** Whether a process of that id runs. One that has ended and waits to be collected does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return true
  }
}

/** The command line of a process, arguments separated by blanks; empty when there is no such process. */
export async function commandLine(pid: number): Promise<string> {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trimEnd()
  } catch {
    const { code, output } = await runCommand('ps', ['-o', 'command=', '-p', String(pid)])
    return code === 0 ? output.trim() : ''
  }
}
