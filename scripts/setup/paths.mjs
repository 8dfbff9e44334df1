/**
 * Where things are in a clone.
 */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** @param {string[]} parts */
export function inRoot(...parts) {
  return join(root, ...parts)
}
