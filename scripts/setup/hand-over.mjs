/**
 * Becomes another program in this same process, so that its standard streams, signals and exit code are its own.
 * (The npm scripts say `exec` for the same reason: npm signals its shell, which would die and leave us running.)
 */
import { pathToFileURL } from 'node:url'

/** Far longer than npm takes to pass a signal on, shorter than a person between two presses. */
const DOUBLED_WITHIN_MS = 200

/**
 * @param {string} path
 * @param {string[]} args
 */
export async function handOver(path, args) {
  dropDoubledInterrupts()
  process.argv = [process.execPath, path, ...args]
  await import(pathToFileURL(path).href)
}

/** On Ctrl-C the terminal signals everybody, and npm then signals us once more: the second is not a second press. */
function dropDoubledInterrupts() {
  const emit = process.emit
  let last = Number.NEGATIVE_INFINITY
  process.emit = /** @type {typeof process.emit} */ (
    /** @param {unknown[]} args */
    (...args) => {
      if (args[0] === 'SIGINT') {
        const now = performance.now()
        if (now - last < DOUBLED_WITHIN_MS) return true
        last = now
      }
      return Reflect.apply(emit, process, args)
    }
  )
}
