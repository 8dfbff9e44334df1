/**
 * Projection of the log to the messages that a model is sent.
 *
 * 1. Append-only: the projection of a log is a prefix of the projection of any longer one, so that
 *    requests only grow at their end. Only a new plan (`context/replanned`) takes something back.
 * 2. Receipts come in the order of their calls, though the log is in the order of commits: one is held back
 *    until every earlier call of its message has its own, or until the Step ends.
 * 3. What a provider would refuse is never there: no empty message, no receipt without its call.
 * 4. What guardrails are to judge is held back until they have, and comes as they left it; what they blocked,
 *    or never judged, comes as a notice that says so.
 */
import type {
  AssistantMessageEvent,
  ContextReplanned,
  Event,
  GuardrailJudged,
  ToolResultEvent,
  TurnEnd,
  UserMessageEvent,
} from './event.ts'
import { handBackText } from './hand-back.ts'
import type { AssistantMessage, Message, ToolCall, ToolMessage } from './message.ts'
import { judgedContent, objectionNotice, UNJUDGED_NOTICE } from './pending-inputs.ts'

/** Last line of a message that the model could not finish. */
export const INTERRUPTED_MARK = '[This message was interrupted here.]'

/** Follows a text that was cut, so that the model knows, and a request never ends with its own words. */
export const CUT_NOTICE =
  '[Notice from the system: your last message was cut off before it was complete. Go on from there, and keep it shorter.]'

/**
 * How far a projection has come. A value: folding the same one twice gives the same result, and folding
 * only the newest one never copies the messages.
 */
export interface MessageFold {
  /** `seq` of the last event that was folded, 0 for none: read on from here. */
  readonly seq: number
  /** Shared by successive folds; only the first `count` are this one's. Read it with {@link messagesOf}. */
  readonly list: Message[]
  readonly count: number
  readonly open?: OpenCalls
  /** Inputs that are not judged yet, in order. */
  readonly pending?: readonly UserMessageEvent[]
  /** The messages before the last Turn, and what its users said: what a new plan leaves of it. */
  readonly turn?: { readonly start: number; readonly said: readonly Message[] }
}

/** The calls of the last message whose receipts are not all projected. */
interface OpenCalls {
  readonly calls: readonly ToolCall[]
  /** How many of them are done with: their receipts are in the list. */
  readonly answered: number
  readonly receipts: ReadonlyMap<string, ToolMessage>
}

/** The projection of an empty log. */
export function newMessageFold(): MessageFold {
  return { seq: 0, list: [], count: 0 }
}

/** The projection with one more event; amortised, its cost does not depend on the length of the log. */
export function foldMessages(fold: MessageFold, event: Event): MessageFold {
  return { ...project(fold, event), seq: event.seq }
}

/** The messages of a fold, a copy of the list. */
export function messagesOf(fold: MessageFold): Message[] {
  return fold.list.slice(0, fold.count)
}

/** The messages that a log stands for, from its first event on. */
export function deriveMessages(events: readonly Event[]): Message[] {
  return messagesOf(events.reduce(foldMessages, newMessageFold()))
}

function project(fold: MessageFold, event: Event): MessageFold {
  switch (event.type) {
    case 'user/message':
      return withInput(settle(fold), event)
    case 'guardrail/judged':
      return withJudgement(fold, event)
    case 'assistant/message':
      return withAssistant(settle(fold), event)
    case 'tool/result':
      return withReceipt(fold, event)
    case 'turn/end':
      return withHandBack(withUnjudged(settle(fold)), event)
    case 'context/replanned':
      return planAnew(settle(fold), event)
    case 'turn/start': {
      const next = settle(fold)
      return { ...next, turn: { start: next.count, said: [] } }
    }
    case 'step/start':
    case 'step/end':
      return settle(fold)
    default:
      return fold
  }
}

function append(fold: MessageFold, message: Message): MessageFold {
  const list = fold.list.length === fold.count ? fold.list : fold.list.slice(0, fold.count)
  list.push(message)
  return { ...fold, list, count: list.length }
}

function withInput(fold: MessageFold, event: UserMessageEvent): MessageFold {
  if (event.judged === undefined) return withUser(fold, { role: 'user', content: event.content })
  return { ...fold, pending: [...(fold.pending ?? []), event] }
}

function withJudgement(fold: MessageFold, judged: GuardrailJudged): MessageFold {
  if (judged.stage === 'output') {
    return judged.verdict === 'object'
      ? append(fold, { role: 'user', content: objectionNotice(judged.reason ?? '') })
      : fold
  }
  const input = fold.pending?.find(({ inputId }) => inputId === judged.inputId)
  if (input === undefined) return fold
  const next = withUser(fold, { role: 'user', content: judgedContent(input.content, judged) })
  return { ...next, pending: (fold.pending ?? []).filter((other) => other !== input) }
}

/** The Turn is over: what was not judged never will be. */
function withUnjudged({ pending = [], ...fold }: MessageFold): MessageFold {
  return pending.reduce<MessageFold>((next) => append(next, { role: 'user', content: UNJUDGED_NOTICE }), fold)
}

function withUser(fold: MessageFold, message: Message): MessageFold {
  const next = append(fold, message)
  const { turn } = next
  return turn === undefined ? next : { ...next, turn: { ...turn, said: [...turn.said, message] } }
}

/** Of this Turn only what its users said is left, and what came of it so far. */
function planAnew(fold: MessageFold, event: ContextReplanned): MessageFold {
  const { turn } = fold
  if (turn === undefined) return fold
  const notice: Message = { role: 'user', content: replanText(event) }
  const list = [...fold.list.slice(0, turn.start), ...turn.said, notice]
  return { ...fold, list, count: list.length, turn: { ...turn, said: [...turn.said, notice] } }
}

/** What the model is told when it is to plan anew. */
function replanText({ summary, note }: ContextReplanned): string {
  const asked = note === undefined || note.trim() === '' ? '' : `\nWhat they said: ${note}`
  return `[Notice from the system: a human stopped your plan and asks for a new one.${asked}\nDone so far:\n${summary}\nThe tool calls and results of this turn were removed. Plan anew.]`
}

function withAssistant(fold: MessageFold, event: AssistantMessageEvent): MessageFold {
  const message = assistantMessage(event)
  if (message === undefined) return fold
  const next = append(fold, message)
  if (message.calls.length === 0)
    return wasCut(event) ? append(next, { role: 'user', content: CUT_NOTICE }) : next
  return { ...next, open: { calls: message.calls, answered: 0, receipts: new Map() } }
}

/** A cut message with calls is answered by their receipts; one without would go unanswered. */
function wasCut(event: AssistantMessageEvent): boolean {
  const { finish, interrupted } = event
  return interrupted !== true && (finish === 'length' || finish === 'unknown' || finish === 'none')
}

function assistantMessage(event: AssistantMessageEvent): AssistantMessage | undefined {
  if (event.interrupted) {
    const text = event.text.trimEnd()
    return text === '' ? undefined : { role: 'assistant', text: `${text}\n\n${INTERRUPTED_MARK}`, calls: [] }
  }
  if (event.text.trim() === '' && event.calls.length === 0) return undefined
  const { text, reasoning, calls } = event
  return { role: 'assistant', text, ...(reasoning === undefined ? {} : { reasoning }), calls }
}

function withReceipt(fold: MessageFold, event: ToolResultEvent): MessageFold {
  const { open } = fold
  const { callId, kind, isError } = event
  const content = receiptText(event)
  const isExpected = open?.calls.some((call) => call.callId === callId) && !open.receipts.has(callId)
  if (open === undefined || !isExpected) return fold
  const receipts = new Map(open.receipts).set(callId, { role: 'tool', callId, kind, isError, content })
  const missing = open.calls.findIndex((call) => !receipts.has(call.callId))
  const next = release(fold, { ...open, receipts }, missing < 0 ? open.calls.length : missing)
  return missing < 0 ? closed(next) : { ...next, open: { ...open, receipts, answered: missing } }
}

/**
 * The text of a receipt as the model reads it. What came from outside stands between two lines with its mark,
 * which is random: content that pretends to end cannot know it.
 */
export function receiptText({ content, mark, notice }: ToolResultEvent): string {
  const marked = mark === undefined ? content : `<data ${mark}>\n${content}\n</data ${mark}>`
  return notice === undefined ? marked : `${notice}\n${marked}`
}

/** Projects what is still held back: no more receipts will come for this message. */
function settle(fold: MessageFold): MessageFold {
  return fold.open === undefined ? fold : closed(release(fold, fold.open, fold.open.calls.length))
}

/** Projects the receipts of the calls up to that index, as far as they are there and were not projected yet. */
function release(fold: MessageFold, { calls, answered, receipts }: OpenCalls, end: number): MessageFold {
  return calls.slice(answered, end).reduce((next, { callId }) => {
    const receipt = receipts.get(callId)
    return receipt === undefined ? next : append(next, receipt)
  }, fold)
}

function closed({ open: _, ...fold }: MessageFold): MessageFold {
  return fold
}

function withHandBack(fold: MessageFold, event: TurnEnd): MessageFold {
  if (event.reason === 'completed' || event.handBack === undefined) return fold
  return append(fold, { role: 'assistant', text: handBackText(event.handBack), calls: [] })
}
