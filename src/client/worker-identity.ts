/**
 * The identity of a worker: which process of which host it is, so that the next one on the same host can tell
 * that it is dead.
 */
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

export interface WorkerIdentity {
  readonly pid: number
  readonly host: string
  /** When the process started, in the kernel's ticks, or `0` where that cannot be read. Process ids are used again. */
  readonly born: string
}

/** The identity of this process: short, because it is in history several times a Step. */
export function ownIdentity(): string {
  return `${process.pid}@${hostname()}#${bornAt('self') ?? '0'}`
}

/** Reads an identity that {@link ownIdentity} made; undefined for any other. */
export function parseIdentity(identity: string): WorkerIdentity | undefined {
  const match = /^(\d+)@(.+)#(\d+)$/.exec(identity)
  if (match === null) return undefined
  const [, pid, host, born] = match
  return { pid: Number(pid), host: host ?? '', born: born ?? '0' }
}

/**
 * Whether an identity is that of a process of this host that runs no more. False whenever that is not
 * certain: another host, or an identity that is not ours.
 */
export function isDeadProcessOfThisHost(identity: string): boolean {
  const worker = parseIdentity(identity)
  if (worker === undefined || worker.host !== hostname()) return false
  const born = bornAt(worker.pid)
  if (born !== undefined) return worker.born !== '0' && born !== worker.born
  return !isAlive(worker.pid)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Start time of a process in ticks since boot, by `/proc`; undefined when it does not run or is a zombie. */
function bornAt(pid: number | 'self'): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? undefined : fields[19]
  } catch {
    return undefined
  }
}
