import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface LocalServer {
  /** `127.0.0.1:PORT`. */
  readonly host: string
  readonly port: number
  /** What it was asked for, `METHOD host path`, in order. */
  readonly requests: string[]
  /** Connections that are open. */
  readonly sockets: ReadonlySet<Socket>
}

/** An HTTP server on this machine, gone when the test is over. */
export async function serve(listener: RequestListener): Promise<LocalServer> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.headers.host?.split(':')[0]} ${request.url}`)
    return listener(request, response)
  })
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return { host: `127.0.0.1:${port}`, port, requests, sockets }
}

/** A server that does with a connection what it likes, by its `127.0.0.1:PORT`. */
export async function serveRaw(onConnection: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    onConnection(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}
