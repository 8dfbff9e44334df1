import { assertNever } from '../errors.ts'
import type { Event } from '../event.ts'
import {
  attemptLostKey,
  callKey,
  continuedKey,
  draftKey,
  heldKey,
  inputKey,
  judgedKey,
  parseCallId,
  replannedKey,
  stepKey,
  turnKey,
} from '../ids.ts'
import type { CheckFactory } from './check.ts'

/** Every event by itself: `seq` without gaps, a key that is unique and says what the payload says, whole text. */
export const checkEnvelope: CheckFactory = (report) => {
  const keys = new Set<string>()
  let seq = 0
  return {
    visit(event) {
      if (event.seq !== seq + 1) report('seq-gapless', `seq ${event.seq} follows ${seq}`, event)
      seq = event.seq
      if (keys.has(event.key)) report('key-unique', `key ${event.key} is there already`, event)
      keys.add(event.key)
      const expected = expectedKey(event)
      if (expected !== undefined && event.key !== expected) {
        report('key-derived', `key is ${event.key}, its payload implies ${expected}`, event)
      }
      if (event.v !== 1) report('payload-version', `version ${String(event.v)} is not known`, event)
      if (!isWellFormed(event)) report('well-formed-text', `${event.type} holds half a surrogate pair`, event)
    },
  }
}

const CALL_PART = {
  'tool/call': 'call',
  'tool/result': 'result',
  'approval/requested': 'requested',
  'approval/decided': 'decided',
  'audit/recorded': 'audit',
} as const

/** The key that a payload implies; undefined when its call id is none of ours. */
function expectedKey(event: Event): string | undefined {
  switch (event.type) {
    case 'user/message':
    case 'input/withdrawn':
    case 'input/refused':
      return inputKey(event.inputId)
    case 'turn/start':
      return turnKey(event.turnId, 'start')
    case 'turn/end':
      return turnKey(event.turnId, 'end')
    case 'turn/continued':
      return continuedKey(event.turnId, event.runId)
    case 'step/start':
      return stepKey(event.turnId, event.step, 'start')
    case 'assistant/message':
      return stepKey(event.turnId, event.step, 'message')
    case 'assistant/draft':
      return draftKey(event.turnId, event.step)
    case 'guardrail/held':
      return heldKey(event.turnId, event.step)
    case 'step/end':
      return stepKey(event.turnId, event.step, 'end')
    case 'attempt/lost':
      return attemptLostKey(event.turnId, event.step, event.attempt)
    case 'context/replanned':
      return replannedKey(event.turnId, event.step)
    case 'guardrail/judged': {
      const { turnId, inputId, step = 0 } = event
      return judgedKey(turnId, inputId === undefined ? { step } : { inputId })
    }
    case 'tool/call':
    case 'tool/result':
    case 'approval/requested':
    case 'approval/decided':
    case 'audit/recorded': {
      const position = parseCallId(event.callId)
      if (position === undefined) return undefined
      const { turnId, step } = event
      return callKey(turnId, { step, index: position.index }, CALL_PART[event.type])
    }
    default:
      return assertNever(event, 'expectedKey')
  }
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  return Object.values(value).every(isWellFormed)
}
