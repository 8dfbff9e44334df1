/**
 * The frontend of a Temporal server as seen from outside: its port, and whether it answers.
 */
import { connect, createServer } from 'node:net'
import { Connection } from '@temporalio/client'

/** A port of 127.0.0.1 that nobody listens on right now. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() =>
        address !== null && typeof address === 'object'
          ? resolve(address.port)
          : reject(new Error('no port')),
      )
    })
  })
}

/** Whether the frontend answers for a namespace within a second. */
export async function isFrontendReady(address: string, namespace: string): Promise<boolean> {
  // gRPC waits a second after a refused connection: look first.
  if (!(await isListening(address))) return false
  const connection = Connection.lazy({ address })
  try {
    await connection.withDeadline(Date.now() + 1_000, () =>
      connection.workflowService.describeNamespace({ namespace }),
    )
    return true
  } catch {
    return false
  } finally {
    await connection.close()
  }
}

function isListening(address: string): Promise<boolean> {
  const { hostname, port } = new URL(`http://${address}`)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    const finish = (isOpen: boolean) => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.setTimeout(1_000, () => finish(false))
    socket.once('connect', () => finish(true))
    socket.once('error', () => finish(false))
  })
}
