import { connect } from 'node:net'
import { TurnstepError } from '../../core/errors.ts'
import type { TemporalServer } from '../temporal-server.ts'

const CHECK_MS = 1_000
const MAX_MISSES = 3

/**
 * Looks after a server that was started for the data folder: once it has gone, nothing here gets on, and only a new
 * start brings another. One that is configured by address may come back, so it is not watched.
 */
export function watchServer({ address, source }: TemporalServer, onGone: (error: TurnstepError) => void) {
  if (source === 'address') return { stop: () => undefined }
  let misses = 0
  const check = async (): Promise<void> => {
    misses = (await isListening(address)) ? 0 : misses + 1
    if (misses !== MAX_MISSES) return
    clearInterval(timer)
    onGone(
      new TurnstepError(
        'temporal-unavailable',
        `The Temporal server at ${address} has ended. Start again: what was sent is kept, and an open turn goes on.`,
      ),
    )
  }
  const timer = setInterval(() => void check(), CHECK_MS)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}

function isListening(address: string): Promise<boolean> {
  const { hostname, port } = new URL(`http://${address}`)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    const finish = (isOpen: boolean): void => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.setTimeout(CHECK_MS, () => finish(false))
    socket.once('connect', () => finish(true))
    socket.once('error', () => finish(false))
  })
}
