/**
 * What every command of a clone does first: dependencies, then dist/. Quick when both are current.
 */
import { build, isBuildCurrent } from './build.mjs'
import { areDependenciesCurrent, installDependencies } from './dependencies.mjs'
import { withLock } from './lock.mjs'
import { inRoot } from './paths.mjs'

const lock = inRoot('.setup.lock')

export async function ensureDependencies() {
  if (areDependenciesCurrent()) return
  await withLock(lock, async () => {
    if (!areDependenciesCurrent()) await installDependencies()
  })
}

/** Emits without checking types: that is a gate's work, and doubles the time. */
export async function ensureReady() {
  await ensureDependencies()
  if (isBuildCurrent()) return
  await withLock(lock, async () => {
    if (!isBuildCurrent()) await build({ typeCheck: false })
  })
}

/** Builds anew, and refuses type errors. */
export async function rebuild() {
  await ensureDependencies()
  await withLock(lock, () => build({ typeCheck: true }))
}
