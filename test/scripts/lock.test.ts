import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withLock } from '../../scripts/setup/lock.mjs'
import { temporaryFolder } from '../support/temporary-folder.ts'

describe('withLock', () => {
  it('holds the lock while the body runs, and no longer', async () => {
    const path = join(await temporaryFolder(), 'lock')
    const owner = await withLock(path, () => Promise.resolve(readFileSync(path, 'utf8')))
    expect(owner).toBe(String(process.pid))
    expect(existsSync(path)).toBe(false)
  })

  it('lets go when the body fails', async () => {
    const path = join(await temporaryFolder(), 'lock')
    await expect(withLock(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(existsSync(path)).toBe(false)
  })

  it('runs bodies one after the other', async () => {
    const path = join(await temporaryFolder(), 'lock')
    let running = 0
    let most = 0
    const body = async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setImmediate(resolve))
      running -= 1
    }
    await Promise.all([withLock(path, body), withLock(path, body), withLock(path, body)])
    expect(most).toBe(1)
  })

  it('takes over the lock of a process that has died', async () => {
    const path = join(await temporaryFolder(), 'lock')
    const { pid } = spawnSync('true')
    writeFileSync(path, String(pid))
    expect(await withLock(path, () => Promise.resolve('done'))).toBe('done')
  })
})
