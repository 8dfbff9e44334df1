/**
 * One set-up at a time in a clone: a lock file that names its owner's process id. A dead owner's lock is taken over.
 */
import { readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

const POLL_MS = 100

/**
 * @template T
 * @param {string} path
 * @param {() => Promise<T>} body
 * @returns {Promise<T>}
 */
export async function withLock(path, body) {
  let announced = false
  while (!tryLock(path)) {
    const owner = ownerOf(path)
    if (owner !== undefined && !isAlive(owner)) {
      breakLock(path, owner)
      continue
    }
    if (!announced && owner !== undefined) {
      process.stderr.write(`Process ${owner} is setting up this folder; waiting for it …\n`)
      announced = true
    }
    await delay(POLL_MS)
  }
  const unlock = () => ownerOf(path) === process.pid && unlinkSync(path)
  process.once('exit', unlock)
  try {
    return await body()
  } finally {
    process.off('exit', unlock)
    unlock()
  }
}

/** @param {string} path */
function tryLock(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/**
 * The owner's process id; undefined when the lock is gone or its owner has not written itself down yet.
 *
 * @param {string} path
 */
function ownerOf(path) {
  try {
    const owner = Number(readFileSync(path, 'utf8'))
    return Number.isInteger(owner) && owner > 0 ? owner : undefined
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Moves a dead owner's lock away. Of several who try, one succeeds; a lock that was renewed meanwhile is put back.
 *
 * @param {string} path
 * @param {number} owner
 */
function breakLock(path, owner) {
  const aside = `${path}.${process.pid}`
  try {
    renameSync(path, aside)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return
    throw error
  }
  if (ownerOf(aside) === owner) unlinkSync(aside)
  else renameSync(aside, path)
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** @param {unknown} error */
function codeOf(error) {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
