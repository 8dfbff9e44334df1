/**
 * The body of an answer, decompressed, up to a limit.
 */
import type { IncomingMessage } from 'node:http'
import { pipeline, type Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { HttpFetchError } from './http-fetch-error.ts'

export interface Body {
  readonly bytes: Buffer
  /** Whether the answer is longer than `bytes`. */
  readonly isCut: boolean
}

/** What a compressed answer may be longer than what it unpacks to: an endless one that unpacks to nothing stops here. */
const COMPRESSED_SLACK_BYTES = 256 * 1024

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/** Reads and lets go of the answer. Counts what comes out of the decompression, block by block. */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<Body> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of decoded(response, maxBytes)) {
    chunks.push(chunk as Buffer)
    size += (chunk as Buffer).length
    // Leaving the loop destroys the stream, and with it the connection.
    if (size > maxBytes) break
  }
  const bytes = Buffer.concat(chunks, Math.min(size, maxBytes))
  return { bytes, isCut: size > maxBytes }
}

function decoded(response: IncomingMessage, maxBytes: number): Readable {
  const encodings = (response.headers['content-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
  const [encoding] = encodings
  if (encoding === undefined) return response
  const createDecoder = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined
  if (createDecoder === undefined || encodings.length > 1) {
    response.destroy()
    throw new HttpFetchError('The answer is compressed in a way that cannot be read.')
  }
  const limit = maxBytes + COMPRESSED_SLACK_BYTES
  // Errors reach the reader through the decoder, which the pipeline destroys with them.
  return pipeline(
    response,
    (source: AsyncIterable<Buffer>) => limited(source, limit),
    createDecoder(),
    () => undefined,
  )
}

async function* limited(source: AsyncIterable<Buffer>, limit: number): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of source) {
    size += chunk.length
    if (size > limit)
      throw new HttpFetchError('The answer is compressed in a way that makes it longer, and too long.')
    yield chunk
  }
}
