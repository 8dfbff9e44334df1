import { assertNever } from '../core/errors.ts'
import type { AssistantMessageEvent, Event, EventOf } from '../core/event.ts'
import type { MessageAnswer, PlannedCall, UnrunnablePlan } from './contracts.ts'
import { fingerprintOf } from './digest.ts'

/** Receipts that are committed together with their message. */
const AT_ONCE: ReadonlySet<string> = new Set(['invalid-arguments', 'unknown-tool', 'output-cut'])

/**
 * What the workflow is told of a committed message. A function of the log alone, so that a retry answers as
 * the attempt that committed it would have.
 */
export function answerOf(message: AssistantMessageEvent, events: readonly Event[]): MessageAnswer {
  const { finish, calls } = message
  if (message.interrupted === true) return { kind: 'interrupted' }
  switch (finish) {
    case 'content_filter':
    case 'refusal':
      return { kind: 'refused' }
    case 'length':
    case 'unknown':
    case 'none':
      return { kind: 'cut', receipts: calls.length }
    case 'stop':
    case 'tool_calls':
      return calls.length === 0 ? { kind: 'final' } : { kind: 'calls', ...plan(message, events) }
    default:
      return assertNever(finish, 'answerOf')
  }
}

function plan(
  message: AssistantMessageEvent,
  events: readonly Event[],
): { readonly calls: readonly PlannedCall[]; readonly unrunnable?: readonly UnrunnablePlan[] } {
  const receipts = new Map(
    events
      .filter(
        (event): event is EventOf<'tool/result'> => event.type === 'tool/result' && AT_ONCE.has(event.kind),
      )
      .map((event) => [event.callId, event.kind]),
  )
  const calls: PlannedCall[] = []
  const unrunnable: UnrunnablePlan[] = []
  for (const { callId, tool, arguments: args, needsApproval } of message.calls) {
    const print = fingerprintOf(`${tool} ${args}`)
    const kind = receipts.get(callId)
    if (kind === undefined)
      calls.push({ id: callId, tool, print, ...(needsApproval ? { ask: true as const } : {}) })
    else unrunnable.push({ print, kind })
  }
  return { calls, ...(unrunnable.length > 0 ? { unrunnable } : {}) }
}
