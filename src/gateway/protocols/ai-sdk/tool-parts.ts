/**
 * Tool parts of a UI message: what a call is given, whether somebody is asked, what came of it.
 */
import { defined } from '../../../core/defined.ts'
import type { ApprovalDecided, ApprovalRequested, ToolResultEvent } from '../../../core/event.ts'
import { approvalIdOf } from '../approval-id.ts'
import type { TurnPart } from '../turn-part.ts'
import type { UIMessageChunk } from './ui-message-chunk.ts'

interface KnownCall {
  readonly tool: string
  readonly input: unknown
}

type ToolPart = Extract<
  TurnPart,
  { kind: 'call' | 'call-started' | 'approval-requested' | 'approval-decided' | 'receipt' }
>

export class ToolParts {
  readonly #calls = new Map<string, KnownCall>()

  /** Whether the message has this call. */
  has(callId: string): boolean {
    return this.#calls.has(callId)
  }

  chunksOf(part: ToolPart): readonly UIMessageChunk[] {
    switch (part.kind) {
      case 'call': {
        const { callId: toolCallId, tool: toolName } = part
        const input = parsed(part.arguments)
        this.#calls.set(toolCallId, { tool: toolName, input })
        return [
          { type: 'tool-input-start', toolCallId, toolName, providerExecuted: true },
          { type: 'tool-input-available', toolCallId, toolName, input, providerExecuted: true },
        ]
      }
      case 'call-started':
        return this.#started(part)
      case 'approval-requested':
        return this.#requested(part.event)
      case 'approval-decided':
        return this.#decided(part.event)
      case 'receipt':
        return this.#receipt(part.event)
    }
  }

  #started({
    callId,
    by,
    expiresAt,
  }: Extract<TurnPart, { kind: 'call-started' }>): readonly UIMessageChunk[] {
    if (by === 'agent') return []
    return [this.#available(callId, { providerExecuted: false, expiresAt })]
  }

  #requested(event: ApprovalRequested): readonly UIMessageChunk[] {
    const { callId, risk, argumentsDigest, expiresAt } = event
    return [
      {
        type: 'tool-approval-request',
        approvalId: approvalIdOf(event),
        toolCallId: callId,
        approvalDescriptor: { risk, argumentsDigest, expiresAt },
      },
    ]
  }

  /** A call that may run is shown as given again, with the arguments that run; one that may not has its receipt next. */
  #decided(event: ApprovalDecided): readonly UIMessageChunk[] {
    const { callId, tool, decision, by, cause, note } = event
    const told: UIMessageChunk = {
      type: 'data-turnstep-decision',
      id: callId,
      data: { callId, decision, by, ...defined({ cause, note }) },
    }
    if (decision !== 'approve' && decision !== 'edit') return [told]
    const known = this.#known(callId, tool)
    const input = event.arguments === undefined ? known.input : parsed(event.arguments)
    this.#calls.set(callId, { ...known, input })
    return [told, this.#available(callId, { providerExecuted: true })]
  }

  #receipt({ callId, kind, content, spill, durationMs, notice }: ToolResultEvent): readonly UIMessageChunk[] {
    const toolCallId = callId
    const toolMetadata = { turnstep: { kind, ...defined({ spill, durationMs, notice }) } }
    switch (kind) {
      case 'ok':
        return [{ type: 'tool-output-available', toolCallId, output: structured(content), toolMetadata }]
      case 'denied':
        return [{ type: 'tool-output-denied', toolCallId }]
      case 'invalid-arguments':
      case 'unknown-tool':
      case 'output-cut': {
        const { tool: toolName, input } = this.#known(callId, '')
        return [
          {
            type: 'tool-input-error',
            toolCallId,
            toolName,
            input,
            errorText: content,
            providerExecuted: true,
          },
        ]
      }
      default:
        return [{ type: 'tool-output-error', toolCallId, errorText: content, toolMetadata }]
    }
  }

  #available(
    callId: string,
    {
      providerExecuted,
      expiresAt,
    }: { readonly providerExecuted: boolean; readonly expiresAt?: string | undefined },
  ): UIMessageChunk {
    const { tool: toolName, input } = this.#known(callId, '')
    const more = expiresAt === undefined ? {} : { toolMetadata: { turnstep: { expiresAt } } }
    return { type: 'tool-input-available', toolCallId: callId, toolName, input, providerExecuted, ...more }
  }

  #known(callId: string, tool: string): KnownCall {
    return this.#calls.get(callId) ?? { tool, input: {} }
  }
}

/** JSON text as a value; text that is no JSON stays text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/** An object or a list that a tool gave back as one; anything else as the text that the model reads. */
function structured(content: string): unknown {
  return /^[[{]/.test(content) ? parsed(content) : content
}
