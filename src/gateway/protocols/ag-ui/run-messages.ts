/**
 * The messages of a thread as its reader has them: those that came with the request, and what the run added.
 */
import type { AgUiEvent, RunMessage, RunToolCall } from './ag-ui-event.ts'

export class RunMessages {
  #messages: RunMessage[]

  constructor(before: readonly RunMessage[]) {
    this.#messages = [...before]
  }

  get list(): readonly RunMessage[] {
    return [...this.#messages]
  }

  /** Takes in what an event says, as the protocol's clients do. */
  read(event: AgUiEvent): void {
    switch (event.type) {
      case 'TEXT_MESSAGE_START':
        this.#append({ id: event.messageId, role: 'assistant', content: '' })
        break
      case 'REASONING_MESSAGE_START':
        this.#append({ id: event.messageId, role: 'reasoning', content: '' })
        break
      case 'TEXT_MESSAGE_CONTENT':
      case 'REASONING_MESSAGE_CONTENT':
        this.#change(event.messageId, (one) => ({ ...one, content: `${String(one.content)}${event.delta}` }))
        break
      case 'TOOL_CALL_START': {
        const { toolCallId: id, toolCallName: name, parentMessageId } = event
        if (!this.#messages.some((one) => one.id === parentMessageId))
          this.#append({ id: parentMessageId, role: 'assistant' })
        const call: RunToolCall = { id, type: 'function', function: { name, arguments: '' } }
        this.#change(parentMessageId, (one) => ({ ...one, toolCalls: [...(one.toolCalls ?? []), call] }))
        break
      }
      case 'TOOL_CALL_ARGS':
        this.#messages = this.#messages.map((one) =>
          one.toolCalls === undefined
            ? one
            : { ...one, toolCalls: one.toolCalls.map((call) => withArguments(call, event)) },
        )
        break
      case 'TOOL_CALL_RESULT': {
        const { messageId: id, toolCallId, content } = event
        this.#append({ id, role: 'tool', toolCallId, content })
        break
      }
      default:
        break
    }
  }

  /** Takes a message out. */
  drop(id: string): void {
    this.#messages = this.#messages.filter((one) => one.id !== id)
  }

  #append(message: RunMessage): void {
    this.drop(message.id)
    this.#messages.push(message)
  }

  #change(id: string, change: (message: RunMessage) => RunMessage): void {
    this.#messages = this.#messages.map((one) => (one.id === id ? change(one) : one))
  }
}

function withArguments(
  call: RunToolCall,
  { toolCallId, delta }: { readonly toolCallId: string; readonly delta: string },
): RunToolCall {
  if (call.id !== toolCallId) return call
  return { ...call, function: { ...call.function, arguments: call.function.arguments + delta } }
}
