import type { ModelDelta, ModelResponse } from '../../../src/core/ports.ts'
import { readChatResponse } from '../../../src/model/read-chat-response.ts'

export interface Reading {
  readonly response: ModelResponse
  readonly deltas: readonly ModelDelta[]
}

export interface StreamEnd {
  /** What the connection breaks with after the last piece. */
  readonly error?: Error
  readonly tools?: readonly string[]
}

const encoder = new TextEncoder()

/** Reads a body that arrives in these pieces. */
export async function readPieces(
  pieces: readonly (string | Uint8Array)[],
  end: StreamEnd = {},
): Promise<Reading> {
  const waiting = pieces.map((piece) => (typeof piece === 'string' ? encoder.encode(piece) : piece))
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = waiting.shift()
      if (next !== undefined) controller.enqueue(next)
      else if (end.error === undefined) controller.close()
      else controller.error(end.error)
    },
  })
  const deltas: ModelDelta[] = []
  const response = await readChatResponse(new Response(body), {
    model: 'asked-model',
    knownTools: new Set(end.tools ?? []),
    onDelta: (delta) => deltas.push(delta),
    context: { host: 'provider.test', secrets: () => [] },
  })
  return { response, deltas }
}

/** The event stream of these chunks, with `[DONE]`. */
export function eventStream(...chunks: readonly unknown[]): string {
  return [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]']
    .map((data) => `data: ${data}\n\n`)
    .join('')
}

/** A chunk with one choice. */
export function chunk(delta: unknown, finish: string | null = null): unknown {
  return { choices: [{ index: 0, delta, finish_reason: finish }] }
}

/** Reads a stream of chunks whose deltas are these; the last one ends it with `finish`. */
export async function readDeltas(
  deltas: readonly unknown[],
  {
    finish = 'tool_calls',
    tools = [],
  }: { readonly finish?: string | null; readonly tools?: readonly string[] } = {},
): Promise<ModelResponse> {
  const chunks = [...deltas.map((delta) => chunk(delta)), ...(finish === null ? [] : [chunk({}, finish)])]
  return (await readPieces([eventStream(...chunks)], { tools })).response
}

/** A delta with calls. */
export function calls(...elements: readonly unknown[]): unknown {
  return { tool_calls: elements }
}

/** One element of a delta's calls, in the provider's shape. */
export function call(fields: {
  index?: number
  id?: string | null
  name?: string | null
  args?: unknown
}): unknown {
  const { index, id, name, args } = fields
  return {
    ...(index === undefined ? {} : { index }),
    ...(id === undefined ? {} : { id }),
    function: { ...(name === undefined ? {} : { name }), ...(args === undefined ? {} : { arguments: args }) },
  }
}

/** Token counts as providers report them. */
export function usage(input: number, output: number): unknown {
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
}
