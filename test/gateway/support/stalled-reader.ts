import { connect } from 'node:net'
import { onTestFinished } from 'vitest'

/** A reader that asks for a stream, takes its beginning, and then nothing more. */
export async function openStalledReader(address: string): Promise<void> {
  const { hostname, port, pathname, search } = new URL(address)
  const socket = connect({ host: hostname, port: Number(port) })
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => undefined)
  socket.write(
    `GET ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAccept: text/event-stream\r\n\r\n`,
  )
  await new Promise<void>((resolve) => socket.once('data', () => resolve()))
  socket.pause()
}
