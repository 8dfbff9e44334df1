/** Makers of single events of a run. */
import type { ApprovalRequested, GuardrailHeld } from '../../../core/event.ts'
import type { Usage } from '../../../core/usage.ts'
import { approvalIdOf } from '../approval-id.ts'
import type { TurnPart } from '../turn-part.ts'
import type { AgUiEvent, Interrupt, TokenUsage } from './ag-ui-event.ts'

type Said = Extract<TurnPart, { channel: string }>

export function stepName(step: number): string {
  return `step ${step}`
}

export function beginningOf({ channel, id: messageId }: Said): readonly AgUiEvent[] {
  return channel === 'text'
    ? [{ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' }]
    : [
        { type: 'REASONING_START', messageId },
        { type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' },
      ]
}

export function endOf({ channel, id: messageId }: Said): readonly AgUiEvent[] {
  return channel === 'text'
    ? [{ type: 'TEXT_MESSAGE_END', messageId }]
    : [
        { type: 'REASONING_MESSAGE_END', messageId },
        { type: 'REASONING_END', messageId },
      ]
}

/** Sets a field of our part of the state. */
export function stateChange(field: 'phase' | 'step', value: string | number): AgUiEvent {
  return { type: 'STATE_DELTA', delta: [{ op: 'add', path: `/turnstep/${field}`, value }] }
}

const DECISION_SCHEMA = {
  type: 'object',
  properties: {
    decision: { enum: ['approve', 'edit', 'deny', 'replan'] },
    arguments: { type: 'object', description: 'What is to run instead, with edit.' },
    scope: { enum: ['once', 'session'] },
    note: { type: 'string', description: 'For the model.' },
  },
  required: ['decision'],
} as const

const TEXT_SCHEMA = {
  type: 'object',
  properties: {
    decision: { enum: ['approve', 'edit', 'deny'] },
    text: { type: 'string', description: 'What is said instead, with edit.' },
    note: { type: 'string' },
  },
  required: ['decision'],
} as const

export function interruptOf(asked: ApprovalRequested): Interrupt {
  const { callId, tool, arguments: args, argumentsDigest, risk, expiresAt } = asked
  return {
    id: approvalIdOf(asked),
    reason: 'tool_call',
    message: `May ${tool} run?`,
    toolCallId: callId,
    responseSchema: DECISION_SCHEMA,
    expiresAt,
    metadata: { tool, arguments: args, argumentsDigest, risk },
  }
}

/** The text itself is not in the log; `GET /v1/sessions/{s}` has it. */
export function interruptOfText({ callId, guardrail, reason, digest, expiresAt }: GuardrailHeld): Interrupt {
  return {
    id: approvalIdOf({ callId, argumentsDigest: digest }),
    reason: 'text',
    message: reason,
    responseSchema: TEXT_SCHEMA,
    expiresAt,
    metadata: { callId, guardrail, digest },
  }
}

export function tokensOf(usage: Usage): TokenUsage {
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens } = usage
  return {
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + outputTokens,
    ...(cachedInputTokens === undefined ? {} : { cachedInputTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
  }
}
