/**
 * Becomes another program in this same process, so that its standard streams, signals and exit code are its own.
 */
import { pathToFileURL } from 'node:url'

/**
 * @param {string} path
 * @param {string[]} args
 */
export async function handOver(path, args) {
  process.argv = [process.execPath, path, ...args]
  await import(pathToFileURL(path).href)
}
