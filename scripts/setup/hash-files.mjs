/**
 * Files of a folder, and one hash of many files: what tells whether something that was made of them is current.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @param {string[]} files
 * @param {string} base names count relative to this folder
 */
export function hashFiles(files, base) {
  const hash = createHash('sha256')
  for (const file of files)
    hash
      .update(`${file.slice(base.length)}\0`)
      .update(readFileSync(file))
      .update('\0')
  return hash.digest('hex')
}

/**
 * @param {string} folder
 * @param {string} [suffix]
 * @returns {string[]} sorted
 */
export function listFiles(folder, suffix = '') {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(suffix))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
