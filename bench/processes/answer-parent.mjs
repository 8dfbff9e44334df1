/**
 * The child's end of a benchmark process: answers the parent's calls over Node's channel, until the parent goes.
 *
 * Processes of the benchmark are plain JavaScript on dist/, so that they start and run as in production, without a
 * TypeScript loader.
 */

/** Milliseconds since the epoch, with fractions, comparable between processes of one machine. */
export function now() {
  return performance.timeOrigin + performance.now()
}

/**
 * What the parent handed over, as `Child.start` was given it.
 *
 * @template Settings
 * @returns {Settings}
 */
export function settings() {
  return JSON.parse(process.argv[2] ?? '{}')
}

/**
 * Tells the parent that this process is ready, and answers its calls from now on. `usage` is answered here.
 *
 * @param {Readonly<Record<string, (argument: any) => unknown>>} commands
 * @param {{ stop?: () => unknown }} [options] `stop` is what it takes to end in good order
 */
export function answerParent(commands, { stop } = {}) {
  process.on('message', async (/** @type {{ id: number, command: string, argument: unknown }} */ call) => {
    const { id, command, argument } = call
    try {
      const value = command === 'usage' ? usage() : await commands[command]?.(argument)
      send({ id, value })
    } catch (error) {
      send({ id, problem: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
  })
  process.once('disconnect', async () => {
    await stop?.()
    process.exit()
  })
  send({ readyAt: now() })
}

/** CPU of all threads so far, and the largest size in memory. */
function usage() {
  const { user, system } = process.cpuUsage()
  return { cpuMs: (user + system) / 1_000, peakRssMb: process.resourceUsage().maxRSS / 1_024 }
}

/** @param {unknown} message */
function send(message) {
  if (process.connected) process.send?.(message)
}
