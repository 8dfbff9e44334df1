/**
 * A process group of ours, to be ended as a whole: its leader, and what that has started.
 *
 * Invariants:
 * 1. A group that was seen to be gone is never signalled again: its number may be somebody else's by then.
 * 2. When this process exits, each group that may still be there is killed first, so that none outlives a worker
 *    that is shut down between SIGTERM and SIGKILL.
 *
 * A process that leaves the group on purpose (a daemon, by `setsid`) is out of reach.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

const FIRST_LOOK_MS = 5
const LONGEST_LOOK_MS = 100
/** For what cannot be ended even by SIGKILL, because it waits for a device say. */
const AFTER_KILL_MS = 5_000

const present = new Set<ProcessGroup>()
let isGuarded = false

export class ProcessGroup {
  readonly #id: number

  /** Of a process that leads a group of its own (`detached`). */
  constructor(leader: number) {
    this.#id = leader
    present.add(this)
    if (isGuarded) return
    isGuarded = true
    process.once('exit', () => {
      for (const group of present) group.#signal('SIGKILL')
    })
  }

  /** SIGTERM to all, and SIGKILL after `graceMs` to what is left. Resolves when nothing is. */
  async end(graceMs: number): Promise<void> {
    this.#signal('SIGTERM')
    if (!(await this.#emptied(graceMs))) {
      this.#signal('SIGKILL')
      await this.#emptied(AFTER_KILL_MS)
    }
    present.delete(this)
  }

  #signal(signal: 'SIGTERM' | 'SIGKILL' | 0): void {
    if (!present.has(this)) return
    try {
      process.kill(-this.#id, signal)
    } catch {
      // ESRCH: there is none. EPERM: none that may be signalled, and on macOS none but zombies.
      present.delete(this)
    }
  }

  async #emptied(withinMs: number): Promise<boolean> {
    const deadline = performance.now() + withinMs
    let lookAgainMs = FIRST_LOOK_MS
    while (this.#isAlive()) {
      const leftMs = deadline - performance.now()
      if (leftMs <= 0) return false
      await delay(Math.min(lookAgainMs, leftMs))
      lookAgainMs = Math.min(2 * lookAgainMs, LONGEST_LOOK_MS)
    }
    return true
  }

  #isAlive(): boolean {
    this.#signal(0)
    return present.has(this) && !isOnlyZombies(this.#id)
  }
}

/** Whether all members have ended and only wait for a parent that does not collect them, as in a container without init. */
function isOnlyZombies(group: number): boolean {
  if (process.platform !== 'linux') return false
  try {
    return readdirSync('/proc').every((name) => !/^\d+$/.test(name) || !isLiveMember(name, group))
  } catch {
    return false
  }
}

function isLiveMember(pid: string, group: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name, in parentheses, may hold anything; state, parent and group follow it (proc_pid_stat(5)).
    const [state, , groupId] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return groupId === String(group) && state !== 'Z' && state !== 'X'
  } catch {
    return false
  }
}
