import { tokensOf } from '../../core/cost.ts'
import type { Event, EventOf } from '../../core/event.ts'
import { textOf } from '../../core/message.ts'
import type { Usage } from '../../core/usage.ts'
import { describeCall } from './describe-call.ts'
import { describeSpending } from './describe-spending.ts'
import { oneLine } from './terminal-text.ts'

const MAX_TEXT = 120

/** An event of the log as one line for a person. */
export function describeEvent(event: Event): string {
  const place =
    event.turn === null
      ? '-'
      : `${event.turn}${'step' in event && event.step !== undefined ? `.${event.step}` : ''}`
  return `${String(event.seq).padStart(5)}  ${event.at}  ${place.padEnd(6)} ${event.type.padEnd(18)} ${detailsOf(event)}`.trimEnd()
}

function detailsOf(event: Event): string {
  switch (event.type) {
    case 'turn/start':
      return `${event.turnId} agent ${event.agent}`
    case 'user/message':
      return `${event.via}: ${oneLine(textOf(event.content), MAX_TEXT)}`
    case 'assistant/message':
      return [
        oneLine(event.text, MAX_TEXT),
        ...event.calls.map((call) => `→ ${describeCall(call.tool, call.arguments)}`),
        ...(event.interrupted === true ? ['(interrupted)'] : []),
      ]
        .filter((part) => part !== '')
        .join(' ')
    case 'approval/requested':
      return `${event.callId} ${describeCall(event.tool, event.arguments)} (risk ${event.risk})`
    case 'approval/decided':
      return describeDecision(event)
    case 'guardrail/judged':
      return oneLine(
        [event.stage, event.verdict, event.guardrail, event.by && `by ${event.by}`, event.reason]
          .filter(Boolean)
          .join(' '),
        MAX_TEXT,
      )
    case 'guardrail/held':
      return oneLine(`${event.callId} ${event.guardrail}: ${event.reason}`, MAX_TEXT)
    case 'audit/recorded':
      return `${event.callId} ${event.tool} (risk ${event.risk}): ${event.outcome}`
    case 'context/replanned':
      return oneLine(event.note ?? '', MAX_TEXT)
    case 'tool/call':
      return `${event.callId} ${event.tool}`
    case 'tool/result':
      return `${event.callId} ${event.kind}: ${oneLine(event.content, MAX_TEXT)}`
    case 'attempt/lost':
      return `attempt ${event.attempt}: ${event.cause}, ${spendingOf(event.usage)}`
    case 'turn/end':
      return [
        event.code === undefined ? event.reason : `${event.reason} (${event.code})`,
        ...(event.cost === null ? [] : [spendingOf(event.usage, event.cost)]),
      ].join(', ')
    case 'input/withdrawn':
      return `${event.inputId}: ${oneLine(textOf(event.content), MAX_TEXT)}`
    case 'input/refused':
      return `${event.inputId}: ${event.reason}`
    default:
      return ''
  }
}

function spendingOf(usage: Usage, cost: number | null = null): string {
  return describeSpending({ tokens: tokensOf(usage), cost, isEstimated: usage.estimated === true })
}

function describeDecision(event: EventOf<'approval/decided'>): string {
  const { callId, decision, by, cause, note, arguments: edited } = event
  return [
    `${callId} ${decision} by ${oneLine(by, 64)}`,
    ...(cause === undefined ? [] : [`(${cause})`]),
    ...(edited === undefined ? [] : [`→ ${describeCall(event.tool, edited)}`]),
    ...(note === undefined ? [] : [oneLine(note, MAX_TEXT)]),
  ].join(' ')
}
