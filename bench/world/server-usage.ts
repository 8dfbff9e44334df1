/**
 * What a server process uses, by /proc. Undefined where there is none.
 */
import { readFileSync } from 'node:fs'
import type { Usage } from './child.ts'

/** The kernel's unit of process times; 100 a second on every Linux that Node.js supports. */
const TICK_MS = 10

export function usageOf(pid: number): Usage | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // Counted from behind the name, which may hold blanks: field 3 comes first.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [user, system] = [Number(fields[11]), Number(fields[12])]
    const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return { cpuMs: (user + system) * TICK_MS, peakRssMb: Number(peak) / 1_024 }
  } catch {
    return undefined
  }
}
