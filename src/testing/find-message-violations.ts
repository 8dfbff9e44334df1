/**
 * Rules for the `messages` of a request: roles, contents, and the pairing of calls with their receipts.
 *
 * Invariants held here: (1) every call is answered by exactly one receipt; (2) the receipts of a message follow
 * it directly, nothing between; (3) call ids are unique in the request; (4) nobody sends an empty message.
 */
import { FUNCTION_NAME, isRecord, type Report } from './violation.ts'

const MAX_CALL_ID_CHARACTERS = 40
const USER_PARTS: ReadonlySet<unknown> = new Set(['text', 'image_url', 'input_audio', 'file'])
const TEXT_PARTS: ReadonlySet<unknown> = new Set(['text'])

/** Calls of the latest assistant message that await their receipt, by id, with the path of each. */
type OpenCalls = Map<string, string>

interface Walk {
  readonly report: Report
  readonly open: OpenCalls
  /** Every call id of the request so far. */
  readonly seen: Set<string>
  readonly answered: Set<string>
}

export function findMessageViolations(messages: unknown, report: Report): void {
  if (!Array.isArray(messages) || messages.length === 0) {
    report('messages', 'messages', 'must be a non-empty array')
    return
  }
  const walk: Walk = { report, open: new Map(), seen: new Set(), answered: new Set() }
  let previous: unknown
  for (const [index, message] of messages.entries()) {
    const path = `messages[${index}]`
    if (!isRecord(message)) {
      report('messages', path, 'must be an object')
      continue
    }
    const { role } = message
    if (role !== 'tool') reportUnanswered(walk)
    checkOrder(role, previous, index, report)
    if (role === 'tool') checkReceipt(message, path, walk)
    else if (role === 'assistant') checkAssistant(message, path, walk)
    else if (role === 'user') checkContent(message['content'], `${path}.content`, USER_PARTS, report)
    else if (role === 'system' || role === 'developer')
      checkContent(message['content'], `${path}.content`, TEXT_PARTS, report)
    else report('messages', `${path}.role`, 'must be system, developer, user, assistant or tool')
    previous = role
  }
  reportUnanswered(walk)
  if (previous === 'assistant')
    report(
      'role-order',
      `messages[${messages.length - 1}]`,
      'is the last and from the assistant: there is nothing to answer',
    )
}

function checkOrder(role: unknown, previous: unknown, index: number, report: Report): void {
  const path = `messages[${index}].role`
  if ((role === 'system' || role === 'developer') && index > 0)
    report('role-order', path, `${role} is only allowed as the first message`)
  if (role === 'assistant' && (previous === undefined || previous === 'system' || previous === 'developer')) {
    report('role-order', path, 'the conversation must be opened by the user')
  }
}

function checkContent(content: unknown, path: string, parts: ReadonlySet<unknown>, report: Report): void {
  if (typeof content === 'string') {
    if (content === '') report('content', path, 'must not be empty')
    return
  }
  if (!Array.isArray(content) || content.length === 0) {
    report('content', path, 'must be a string or a non-empty array of parts')
    return
  }
  for (const [index, part] of content.entries()) checkPart(part, `${path}[${index}]`, parts, report)
}

function checkPart(part: unknown, path: string, allowed: ReadonlySet<unknown>, report: Report): void {
  if (!isRecord(part) || !allowed.has(part['type'])) {
    report('content', path, `must be a part of type ${[...allowed].join(', ')}`)
    return
  }
  if (part['type'] === 'text' && (typeof part['text'] !== 'string' || part['text'] === '')) {
    report('content', `${path}.text`, 'must be a non-empty string')
  }
  const image = part['image_url']
  if (
    part['type'] === 'image_url' &&
    !(isRecord(image) && typeof image['url'] === 'string' && image['url'] !== '')
  ) {
    report('content', `${path}.image_url.url`, 'must be a URL')
  }
  const file = part['file']
  if (
    part['type'] === 'file' &&
    !(isRecord(file) && (typeof file['file_data'] === 'string' || typeof file['file_id'] === 'string'))
  ) {
    report('content', `${path}.file`, 'must have file_data or file_id')
  }
}

function checkAssistant(message: Readonly<Record<string, unknown>>, path: string, walk: Walk): void {
  const { content, tool_calls: calls } = message
  const { report } = walk
  const hasCalls = calls !== undefined && calls !== null
  if (hasCalls && (!Array.isArray(calls) || calls.length === 0)) {
    report('tool-calls', `${path}.tool_calls`, 'must be left out or be a non-empty array')
  }
  if (content !== undefined && content !== null && content !== '')
    checkContent(content, `${path}.content`, TEXT_PARTS, report)
  else if (!hasCalls) report('empty-assistant-message', path, 'has neither content nor tool calls')
  if (!Array.isArray(calls)) return
  for (const [index, call] of calls.entries()) checkCall(call, `${path}.tool_calls[${index}]`, walk)
}

function checkCall(call: unknown, path: string, walk: Walk): void {
  const { report } = walk
  if (!isRecord(call) || call['type'] !== 'function' || !isRecord(call['function'])) {
    report('tool-calls', path, 'must be { id, type: "function", function: { name, arguments } }')
    return
  }
  const { id } = call
  const { name, arguments: text } = call['function']
  if (typeof id !== 'string' || id === '' || id.length > MAX_CALL_ID_CHARACTERS) {
    report('call-id', `${path}.id`, `must be a string of 1 to ${MAX_CALL_ID_CHARACTERS} characters`)
  } else if (walk.seen.has(id)) {
    report('call-id', `${path}.id`, `${JSON.stringify(id)} is used by an earlier call of this request`)
  } else {
    walk.seen.add(id)
    walk.open.set(id, path)
  }
  if (typeof name !== 'string' || !FUNCTION_NAME.test(name))
    report('tool-calls', `${path}.function.name`, `must match ${FUNCTION_NAME}`)
  if (!isJsonObject(text))
    report('arguments', `${path}.function.arguments`, 'must be a string that holds one JSON object')
}

function isJsonObject(text: unknown): boolean {
  if (typeof text !== 'string') return false
  try {
    return isRecord(JSON.parse(text))
  } catch {
    return false
  }
}

function checkReceipt(message: Readonly<Record<string, unknown>>, path: string, walk: Walk): void {
  const { report } = walk
  const id = message['tool_call_id']
  if (typeof id !== 'string' || id === '')
    report('orphan-receipt', `${path}.tool_call_id`, 'must name the call that it answers')
  else if (walk.open.delete(id)) walk.answered.add(id)
  else if (walk.answered.has(id))
    report('doubled-receipt', path, `answers ${JSON.stringify(id)} a second time`)
  else if (walk.seen.has(id))
    report(
      'misplaced-receipt',
      path,
      `does not directly follow the message that made the call ${JSON.stringify(id)}`,
    )
  else report('orphan-receipt', path, `answers ${JSON.stringify(id)}, which nobody called`)
  checkContent(message['content'], `${path}.content`, TEXT_PARTS, report)
}

/** Closes the window in which receipts may come. */
function reportUnanswered(walk: Walk): void {
  for (const [id, path] of walk.open)
    walk.report('unanswered-call', path, `${JSON.stringify(id)} has no receipt directly after its message`)
  walk.open.clear()
}
