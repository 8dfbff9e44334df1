/**
 * The outside world of the tools: a server that keeps every arrival, and removes no duplicates.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One request as it came. Its `number`, from 1 in order of arrival, is what the server answers. */
export interface Arrival {
  readonly number: number
  readonly requestId: string
  readonly session: string
  readonly at: number
}

/** Sends the answer; resolves when it was handed to the network. */
export type Answer = () => Promise<void>

export class ToolServer {
  readonly url: string
  readonly ledger: Arrival[] = []
  readonly #server: Server
  #onEffect: (arrival: Arrival, answer: Answer) => void = (_arrival, answer) => void answer()

  private constructor(server: Server) {
    this.#server = server
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  }

  static async start(): Promise<ToolServer> {
    const server = createServer({ keepAlive: true, noDelay: true })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const started = new ToolServer(server)
    server.on('request', (request, response) => {
      started.#serve(request, response).catch(() => response.destroy())
    })
    return started
  }

  /** What is done right after an effect, in the same instant. Default: it is answered. */
  onEffect(listener: (arrival: Arrival, answer: Answer) => void): void {
    this.#onEffect = listener
  }

  arrivalsOf(session: string): readonly Arrival[] {
    return this.ledger.filter((arrival) => arrival.session === session)
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    this.#server.closeAllConnections()
    await closed
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const { requestId, session } = JSON.parse(Buffer.concat(pieces).toString())
    const arrival = { number: this.ledger.length + 1, requestId, session, at: Date.now() }
    this.ledger.push(arrival)
    // Nothing may come between the entry in the ledger and what follows from it: here the worker is killed.
    this.#onEffect(arrival, () => new Promise((sent) => response.end(resultOf(arrival), () => sent())))
  }
}

/** The result of the tool, which tells the arrivals apart. */
export function resultOf(arrival: Arrival): string {
  return `effect ${arrival.number}`
}
