/**
 * Assembles a response from the chunks of a stream.
 *
 * It owns what one answer has said so far; what a chunk's calls mean is `assemble-calls.ts`, how bytes become
 * chunks `read-event-stream.ts`. Any cutting of the same stream assembles to the same response.
 */
import type { Finish } from '../core/event.ts'
import type { ModelDelta, ModelResponse } from '../core/ports.ts'
import type { Usage } from '../core/usage.ts'
import { CallAssembler, type CallDelta } from './assemble-calls.ts'
import { isRecord, type JsonRecord, nonEmpty } from './json.ts'
import { meaningOf, mergeFinish } from './map-finish.ts'
import { readContent, readReasoning } from './read-content.ts'
import { readUsage } from './read-usage.ts'
import { TextGatherer } from './text-gatherer.ts'

export interface AssemblerOptions {
  /** The model that was asked; the answer's own name for it wins. */
  readonly model: string
  readonly knownTools: ReadonlySet<string>
  readonly onDelta: (delta: ModelDelta) => void
}

export class ResponseAssembler {
  readonly #text: TextGatherer
  readonly #reasoning: TextGatherer
  readonly #calls: CallAssembler
  #reasoningField: string | undefined
  #finish: Finish = 'none'
  #wasInterrupted = false
  #wasRefused = false
  #usage: Usage | undefined
  #model: string
  #isUntouched = true

  constructor(options: AssemblerOptions) {
    const { onDelta } = options
    this.#text = new TextGatherer((text) => onDelta({ text }))
    this.#reasoning = new TextGatherer((reasoning) => onDelta({ reasoning }))
    this.#calls = new CallAssembler(options.knownTools, (toolCall) => onDelta({ toolCall }))
    this.#model = options.model
  }

  /** Whether the answer has said how it ends. */
  get hasFinish(): boolean {
    return this.#finish !== 'none'
  }

  /** The server said that it broke off in the middle. */
  get wasInterrupted(): boolean {
    return this.#wasInterrupted
  }

  /** Nothing has come that is part of an answer. */
  get isUntouched(): boolean {
    return this.#isUntouched
  }

  /**
   * Takes a chunk, or a whole completion. False when it does not have the protocol's shape; an object that shows
   * nothing of it is passed over, because servers send objects of their own among the chunks.
   */
  add(chunk: unknown): boolean {
    if (!isRecord(chunk)) return false
    const choices = chunk['choices'] ?? []
    if (!Array.isArray(choices)) return false
    if (chunk['choices'] !== undefined || chunk['usage'] !== undefined) this.#isUntouched = false
    this.#model = nonEmpty(chunk['model']) ?? this.#model
    this.#usage = readUsage(chunk) ?? this.#usage
    for (const choice of choices as readonly unknown[]) {
      if (isRecord(choice) && (choice['index'] ?? 0) === 0) this.#addChoice(choice)
    }
    return true
  }

  finish(): ModelResponse {
    const text = this.#text.finish()
    const reasoning = this.#reasoning.finish()
    const finish = this.#wasRefused && this.#finish !== 'content_filter' ? 'refusal' : this.#finish
    const endedWell = finish === 'stop' || finish === 'tool_calls'
    return {
      text,
      ...(reasoning === ''
        ? {}
        : { reasoning: { field: this.#reasoningField ?? 'reasoning_content', text: reasoning } }),
      calls: this.#calls.finish(endedWell),
      finish,
      ...(this.#usage === undefined ? {} : { usage: this.#usage }),
      model: this.#model,
    }
  }

  #addChoice(choice: JsonRecord): void {
    if (isRecord(choice['delta'])) this.#addDelta(choice['delta'])
    if (isRecord(choice['message'])) this.#addMessage(choice['message'])
    const meaning = meaningOf(choice['finish_reason'])
    if (meaning === 'interrupted') this.#wasInterrupted = true
    else if (meaning !== undefined) this.#finish = mergeFinish(this.#finish, meaning)
  }

  #addDelta(delta: JsonRecord): void {
    const reasoning = readReasoning(delta, this.#reasoningField)
    if (reasoning !== undefined) {
      this.#reasoningField = reasoning.field
      this.#reasoning.add(reasoning.text)
    }
    const content = readContent(delta['content'])
    const refusal = content.refusal + (nonEmpty(delta['refusal']) ?? '')
    if (refusal !== '') this.#wasRefused = true
    this.#text.add(content.text + refusal)
    this.#calls.add(readCalls(delta))
  }

  /** A whole message repeats what has streamed; only what has not is taken from it. */
  #addMessage(message: JsonRecord): void {
    const missing: Record<string, unknown> = {}
    if (this.#calls.isEmpty)
      Object.assign(missing, { tool_calls: message['tool_calls'], function_call: message['function_call'] })
    if (this.#text.isEmpty)
      Object.assign(missing, { content: message['content'], refusal: message['refusal'] })
    const reasoning = this.#reasoning.isEmpty ? readReasoning(message, undefined) : undefined
    this.#addDelta(reasoning === undefined ? missing : { ...missing, [reasoning.field]: reasoning.text })
  }
}

/** The calls of a delta; the legacy `function_call` counts when there are no others. */
function readCalls(delta: JsonRecord): readonly CallDelta[] {
  const calls = delta['tool_calls']
  if (Array.isArray(calls) && calls.length > 0)
    return (calls as readonly unknown[]).filter(isRecord).map(readCall)
  const legacy = delta['function_call']
  return isRecord(legacy) ? [readCall({ index: 0, function: legacy })] : []
}

function readCall(call: JsonRecord): CallDelta {
  const definition = isRecord(call['function']) ? call['function'] : call
  const index = call['index']
  const id = nonEmpty(call['id'])
  const name = nonEmpty(definition['name'])
  const text = argumentsTextOf(definition['arguments'])
  return {
    ...(typeof index === 'number' && Number.isInteger(index) ? { index } : {}),
    ...(id === undefined ? {} : { id }),
    ...(name === undefined ? {} : { name }),
    ...(text === '' ? {} : { argumentsText: text }),
  }
}

/** Some servers send the arguments as an object. */
function argumentsTextOf(value: unknown): string {
  if (typeof value === 'string') return value
  return isRecord(value) ? JSON.stringify(value) : ''
}
