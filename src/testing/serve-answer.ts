/**
 * Writes one scripted answer to an HTTP response, and tells the journal what was sent.
 */
import type { ServerResponse } from 'node:http'
import {
  chunkFrame,
  contentDeltas,
  finishOf,
  type ReplyIdentity,
  usageOf,
  wholeCompletion,
} from './chat-chunks.ts'
import { journalNow, type ModelJournal, type WritableEntry } from './model-journal.ts'
import type {
  ScriptedAnswer,
  ScriptedInterruption,
  ScriptedRaw,
  ScriptedReply,
  ScriptedStatus,
} from './scripted-answer.ts'

export interface Exchange {
  readonly response: ServerResponse
  readonly entry: WritableEntry
  readonly journal: ModelJournal
  readonly identity: ReplyIdentity
  /** Settles when the client has left. */
  readonly clientLeft: Promise<void>
}

/** Settles when the answer is complete, was cut by the script, or the client has left. */
export async function serveAnswer(answer: ScriptedAnswer, exchange: Exchange): Promise<void> {
  if (answer.kind === 'status') serveStatus(answer, exchange)
  else if (answer.kind === 'raw') await serveRaw(answer, exchange)
  else if (answer.kind === 'hang') {
    await Promise.race([exchange.clientLeft, ...(answer.until === undefined ? [] : [answer.until.opened])])
    cut(exchange)
  } else if (exchange.identity.request.stream === true) await serveStream(answer, exchange)
  else serveWhole(answer, exchange)
}

/** Sends JSON with a status. */
export function sendJson(
  exchange: Pick<Exchange, 'response' | 'entry'>,
  status: number,
  body: unknown,
): void {
  begin(exchange, status, { 'content-type': 'application/json' })
  exchange.response.end(JSON.stringify(body))
}

/** An error in OpenAI's shape. */
export function errorBody(
  status: number,
  message: string,
  code: string | null = null,
): Record<string, unknown> {
  const type = status >= 500 ? 'server_error' : 'invalid_request_error'
  return { error: { message, type, param: null, code } }
}

function begin(
  exchange: Pick<Exchange, 'response' | 'entry'>,
  status: number,
  headers: Readonly<Record<string, string>>,
): void {
  exchange.entry.status = status
  exchange.entry.answeredAt = journalNow()
  exchange.response.writeHead(status, { 'x-request-id': `req_${exchange.entry.number}`, ...headers })
}

function serveStatus(answer: ScriptedStatus, exchange: Exchange): void {
  const body = answer.body ?? errorBody(answer.status, `Scripted status ${answer.status}.`)
  begin(exchange, answer.status, { 'content-type': 'application/json', ...answer.headers })
  exchange.response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

function serveWhole(reply: ScriptedReply, exchange: Exchange): void {
  const usage = usageOf(reply, exchange.entry.bodyBytes)
  sendJson(exchange, 200, wholeCompletion(reply, exchange.identity, usage))
}

async function serveRaw(answer: ScriptedRaw, exchange: Exchange): Promise<void> {
  begin(exchange, 200, { 'content-type': answer.contentType ?? 'text/event-stream' })
  for (const piece of answer.pieces) await writeFlushed(exchange, piece)
  if (answer.end === 'cut') cut(exchange)
  else exchange.response.end()
}

async function serveStream(reply: ScriptedReply, exchange: Exchange): Promise<void> {
  const { response, identity } = exchange
  const frame = chunkFrame(reply, identity)
  const event = (fields: Readonly<Record<string, unknown>>): string =>
    `data: ${JSON.stringify({ ...frame, ...fields })}\n\n`
  const choice = (delta: unknown, finish: string | null): string =>
    event({ choices: [{ index: 0, delta, finish_reason: finish, logprobs: null }] })
  const interruptions = [...(reply.interruptions ?? [])].sort((a, b) => a.afterChunks - b.afterChunks)

  begin(exchange, 200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  response.flushHeaders()
  for (const delta of contentDeltas(reply, identity)) {
    if (!(await goesOn(interruptions, exchange))) return
    exchange.entry.chunksSent += 1
    response.write(choice(delta, null))
    exchange.journal.changed(exchange.entry)
  }
  if (!(await goesOn(interruptions, exchange))) return
  const finish = finishOf(reply)
  const usage =
    identity.request.stream_options?.include_usage === true
      ? usageOf(reply, exchange.entry.bodyBytes)
      : undefined
  response.end(
    (finish === null ? '' : choice({}, finish)) +
      (usage === undefined ? '' : event({ choices: [], usage })) +
      'data: [DONE]\n\n',
  )
}

/** Plays the interruptions that are due; false when the stream is over. */
async function goesOn(interruptions: ScriptedInterruption[], exchange: Exchange): Promise<boolean> {
  for (;;) {
    const [next] = interruptions
    if (next === undefined || next.afterChunks > exchange.entry.chunksSent)
      return !exchange.response.destroyed
    interruptions.shift()
    if (next.kind === 'hold') {
      exchange.journal.changed(exchange.entry)
      await Promise.race([next.until.opened, exchange.clientLeft])
    } else if (next.kind === 'hang') {
      await exchange.clientLeft
    } else if (next.kind === 'cut') {
      await writeFlushed(exchange, ': \n\n')
      cut(exchange)
      return false
    } else {
      exchange.response.end(`data: ${next.line ?? '{"choices": [{'}\n\n`)
      return false
    }
  }
}

/** Destroys the connection, as the end that the script wanted. */
function cut({ response, entry }: Exchange): void {
  if (response.destroyed) return
  entry.endedAt = journalNow()
  response.destroy()
}

/** Writes, and waits until the bytes have been handed to the network (or the client has left). */
async function writeFlushed(exchange: Exchange, data: string | Uint8Array): Promise<void> {
  const flushed = new Promise<void>((resolve) => {
    exchange.response.write(data, () => resolve())
  })
  await Promise.race([flushed, exchange.clientLeft])
}
