/**
 * What the demonstration model knows: the receipts it was sent, and nothing else.
 */
import { type ChatMessage, type ChatRequest, chatText } from '../../testing/chat-request.ts'
import { type Question, readQuestions } from './question.ts'

/** A receipt as text, with whatever JSON is found in it. */
export interface Receipt {
  readonly text: string
}

type JsonRecord = Readonly<Record<string, unknown>>

export interface Assignment {
  readonly questions: readonly Question[]
  /** Receipts that came after the question, in order: one for each call that it led to. */
  readonly receipts: readonly Receipt[]
}

/**
 * The newest message of the user in this Turn that is understood, and what came after it. A steer that is not
 * understood leaves the question before it as it is.
 */
export function assignmentOf(request: ChatRequest): Assignment {
  const { messages } = request
  const turnStart = messages.findLastIndex(isFinal) + 1
  for (let index = messages.length - 1; index >= turnStart; index -= 1) {
    const message = messages[index]
    if (message?.role !== 'user') continue
    const questions = readQuestions(chatText(message))
    if (questions.length === 0) continue
    const later = messages.slice(index + 1).filter(({ role }) => role === 'tool')
    return { questions, receipts: later.map((receipt) => ({ text: chatText(receipt) })) }
  }
  return { questions: [], receipts: [] }
}

function isFinal(message: ChatMessage): boolean {
  return message.role === 'assistant' && (message.tool_calls ?? []).length === 0
}

/** The first object in the receipt, however deep, that has all of these fields. */
export function findObject(receipt: Receipt, fields: readonly string[]): JsonRecord | undefined {
  for (const value of jsonValues(receipt.text)) {
    const found = search(value, fields)
    if (found !== undefined) return found
  }
  return undefined
}

/** Every object with these fields, in order; of a text that was cut in the middle, those that are whole. */
export function findAllObjects(receipt: Receipt, fields: readonly string[]): readonly JsonRecord[] {
  for (const value of jsonValues(receipt.text)) {
    const found = collect(value, fields)
    if (found.length > 0) return found
  }
  const flat = receipt.text.match(/\{[^{}]*\}/g) ?? []
  return flat.flatMap((text) => collect(parse(text), fields))
}

function collect(value: unknown, fields: readonly string[]): readonly JsonRecord[] {
  if (typeof value !== 'object' || value === null) return []
  if (isRecord(value) && fields.every((field) => field in value)) return [value]
  return Object.values(value).flatMap((item) => collect(item, fields))
}

function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** JSON that stands anywhere in a text: the receipt may be wrapped in lines of its own. */
function* jsonValues(text: string): Generator<unknown> {
  const end = text.lastIndexOf('}')
  let attempts = 0
  for (
    let start = text.indexOf('{');
    start !== -1 && start < end && attempts < 20;
    start = text.indexOf('{', start + 1)
  ) {
    attempts += 1
    const value = parse(text.slice(start, end + 1))
    if (value !== undefined) yield value
  }
}

function search(value: unknown, fields: readonly string[]): JsonRecord | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (isRecord(value) && fields.every((field) => field in value)) return value
  for (const item of Object.values(value)) {
    const found = search(item, fields)
    if (found !== undefined) return found
  }
  return undefined
}
