import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { eventually } from './eventually.ts'

/** Process ids of a group that still run; those that have ended and are not collected do not count. */
export function livingMembers(group: number): readonly number[] {
  return execFileSync('ps', ['-A', '-o', 'pid=,pgid=,stat='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, groupId, state]) => groupId === String(group) && !state?.startsWith('Z'))
    .map(([pid]) => Number(pid))
}

/** Waits until a program has written so many numbers of processes into a file, a line each. */
export async function writtenPids(path: string, count = 1): Promise<readonly number[]> {
  await eventually(async () => pidsIn(path).length >= count)
  return pidsIn(path)
}

function pidsIn(path: string): readonly number[] {
  return existsSync(path)
    ? [...readFileSync(path, 'utf8').matchAll(/(\d+)\n/g)].map(([pid]) => Number(pid))
    : []
}
