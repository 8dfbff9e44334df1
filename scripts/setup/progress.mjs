/**
 * Shows on standard error that something long goes on: one line that renews itself in a terminal, else a line
 * every ten seconds. Standard output is left to the command that was asked for.
 */
const QUIET_INTERVAL_MS = 10_000
const TERMINAL_INTERVAL_MS = 200

/**
 * @param {string} title
 * @returns {{ update(detail: string): void, done(summary: string): void, stop(): void }}
 */
export function startProgress(title) {
  const isTerminal = process.stderr.isTTY === true
  const startedAt = Date.now()
  const seconds = () => Math.round((Date.now() - startedAt) / 1_000)
  let detail = ''

  const line = () => `${title} (${seconds()} s${detail === '' ? '' : `: ${detail}`})`
  const clear = () => isTerminal && process.stderr.write('\r\u001B[2K')
  const draw = () => {
    clear()
    process.stderr.write(isTerminal ? line().slice(0, (process.stderr.columns ?? 80) - 1) : `${line()}\n`)
  }

  process.stderr.write(`${title} …${isTerminal ? '' : '\n'}`)
  const timer = setInterval(draw, isTerminal ? TERMINAL_INTERVAL_MS : QUIET_INTERVAL_MS)
  const stop = () => {
    clearInterval(timer)
    clear()
  }
  return {
    update: (next) => {
      detail = next
    },
    done: (summary) => {
      stop()
      process.stderr.write(`${summary} (${seconds()} s)\n`)
    },
    stop,
  }
}
