/**
 * How the demonstration model works: a question becomes tool calls, their receipts become the answer.
 *
 * Each answer is a generator that yields the calls it needs and is handed their receipts. Everything it says comes
 * out of receipts.
 */
import type { ScriptedCall } from '../../testing/scripted-answer.ts'
import type { Question } from './question.ts'
import { findAllObjects, findObject, type Receipt } from './receipts.ts'

/** Yields calls, is sent their receipts, returns the answer's text. */
export type Answer = Generator<ScriptedCall, string, Receipt>

const LISTED_FILES = 1_000
const SHOWN_LINES = 40
const SHOWN_MATCHES = 10

export function* answerAll(questions: readonly Question[]): Answer {
  const answers: string[] = []
  for (const question of questions) answers.push(yield* answerOne(question))
  return answers.join('\n\n')
}

function answerOne(question: Question): Answer {
  switch (question.kind) {
    case 'rank':
      return rank(question)
    case 'count':
      return count(question)
    case 'list':
      return list(question)
    case 'length':
      return length(question.path)
    case 'read':
      return read(question.path)
    case 'find':
      return find(question)
    case 'calculate':
      return calculate(question.expression)
    case 'time':
      return time(question.timeZone)
    case 'write':
      return write(question)
  }
}

type Of<Kind extends Question['kind']> = Extract<Question, { readonly kind: Kind }>

/** Lists the files by size, then reads the winner to check what the list says. */
function* rank(question: Of<'rank'>): Answer {
  const { measure, end, extension, path } = question
  const limit = end === 'most' ? 5 : LISTED_FILES
  const receipt = yield { tool: 'list_files', arguments: defined({ path, extension, sort: measure, limit }) }
  const files = findAllObjects(receipt, ['path', measure]).map((file) => ({
    path: String(file['path']),
    size: Number(file[measure]),
  }))
  const listing = findObject(receipt, ['files', 'total'])
  if (listing === undefined && files.length === 0) return complaint('list_files', receipt)
  const sizes = files.map(({ size }) => size)
  const best = end === 'most' ? Math.max(...sizes) : Math.min(...sizes)
  const [winner, ...peers] = files.filter(({ size }) => size === best)
  if (winner === undefined) return `There are no ${kindOf(extension)} ${placeOf(path)}.`

  const page = yield { tool: 'read_file', arguments: { path: winner.path, from: 1, lines: 3 } }
  const read = findObject(page, ['totalLines', 'text'])
  const size = measure === 'lines' ? Number(read?.['totalLines'] ?? best) : best
  const start = firstLine(String(read?.['text'] ?? ''))
  const total = Number(listing?.['total'] ?? files.length)
  const seen = end === 'fewest' && files.length < total ? ` (I was shown ${files.length} of them)` : ''
  return [
    total === 1
      ? `${winner.path} is the only one of the ${kindOf(extension)} ${placeOf(path)}, with ${size} ${measure}.`
      : `Of the ${total} ${kindOf(extension)} ${placeOf(path)}${seen}, ${winner.path} has the ${end} ${measure}: ${size}.`,
    ...(peers.length === 0
      ? []
      : [
          `So has ${peers
            .slice(0, 3)
            .map((file) => file.path)
            .join(', ')}.`,
        ]),
    ...(start === undefined ? [] : [`It begins with: ${start}`]),
  ].join(' ')
}

function* count({ extension, path }: Of<'count'>): Answer {
  const receipt = yield { tool: 'list_files', arguments: defined({ path, extension, limit: 1 }) }
  const listing = findObject(receipt, ['files', 'total'])
  if (listing === undefined) return complaint('list_files', receipt)
  const total = Number(listing['total'])
  return total === 1
    ? `There is 1 ${kindOf(extension).slice(0, -1)} ${placeOf(path)}.`
    : `There are ${total} ${kindOf(extension)} ${placeOf(path)}.`
}

function* list({ extension, path }: Of<'list'>): Answer {
  const receipt = yield { tool: 'list_files', arguments: defined({ path, extension, limit: 50 }) }
  const listing = findObject(receipt, ['files', 'total'])
  if (listing === undefined) return complaint('list_files', receipt)
  const files = findAllObjects(receipt, ['path', 'lines'])
  const lines = files.map((file) => `- ${String(file['path'])} (${Number(file['lines'])} lines)`)
  const omitted = Number(listing['total']) - files.length
  return [
    `There are ${Number(listing['total'])} ${kindOf(extension)}:`,
    ...lines,
    ...(omitted > 0 ? [`and ${omitted} more.`] : []),
  ].join('\n')
}

function* length(path: string): Answer {
  const receipt = yield { tool: 'read_file', arguments: { path, from: 1, lines: 1 } }
  const page = findObject(receipt, ['totalLines'])
  return page === undefined
    ? complaint('read_file', receipt)
    : `${path} has ${Number(page['totalLines'])} lines.`
}

function* read(path: string): Answer {
  const receipt = yield { tool: 'read_file', arguments: { path, from: 1, lines: SHOWN_LINES } }
  const page = findObject(receipt, ['totalLines', 'text'])
  if (page === undefined) return complaint('read_file', receipt)
  const total = Number(page['totalLines'])
  const text = String(page['text'])
  const shown = Math.min(total, text.split('\n').length)
  const heading =
    shown < total ? `The first ${shown} of the ${total} lines of ${path}:` : `${path} has ${total} lines:`
  return `${heading}\n\n${text}`
}

/** Searches for the text as it is spelled, then without regard to case. */
function* find({ text, extension }: Of<'find'>): Answer {
  const pattern = text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  const wanted = (spelled: string): ScriptedCall => ({
    tool: 'grep',
    arguments: defined({ pattern: spelled, extension, limit: SHOWN_MATCHES }),
  })
  let receipt = yield wanted(pattern)
  if (Number(findObject(receipt, ['matches', 'total'])?.['total'] ?? 1) === 0)
    receipt = yield wanted(`(?i)${pattern}`)
  const result = findObject(receipt, ['matches', 'total'])
  if (result === undefined) return complaint('grep', receipt)
  const total = Number(result['total'])
  if (total === 0) return `Nothing here says ${JSON.stringify(text)}.`
  const matches = findAllObjects(receipt, ['path', 'line']).slice(0, SHOWN_MATCHES)
  const lines = matches.map(
    (match) => `- ${String(match['path'])}:${Number(match['line'])} ${String(match['text'] ?? '').trim()}`,
  )
  const rest = total - matches.length
  return [
    `${JSON.stringify(text)} stands in ${total} ${total === 1 ? 'line' : 'lines'}:`,
    ...lines,
    ...(rest > 0 ? [`and ${rest} more.`] : []),
  ].join('\n')
}

function* calculate(expression: string): Answer {
  const receipt = yield { tool: 'calculator', arguments: { expression } }
  const result = findObject(receipt, ['value'])
  return result === undefined
    ? complaint('calculator', receipt)
    : `${expression} = ${String(result['value'])}`
}

function* time(timeZone: string | undefined): Answer {
  const receipt = yield { tool: 'current_time', arguments: defined({ timeZone }) }
  const result = findObject(receipt, ['iso'])
  if (result === undefined) return complaint('current_time', receipt)
  return `It is ${String(result['iso'])} (${String(result['timeZone'] ?? timeZone ?? 'this machine')}).`
}

/** Looks whether the file is there, and makes or replaces it. */
function* write({ path, text }: Of<'write'>): Answer {
  const content = text.endsWith('\n') ? text : `${text}\n`
  const page = yield { tool: 'read_file', arguments: { path, from: 1, lines: 1 } }
  const mode = findObject(page, ['totalLines']) === undefined ? 'create' : 'replace'
  const receipt = yield { tool: 'write_file', arguments: { path, content, mode } }
  const written = findObject(receipt, ['path', 'bytes'])
  return written === undefined
    ? complaint('write_file', receipt).replace('find out', 'write it')
    : `I wrote ${Number(written['bytes'])} bytes to ${String(written['path'])}.`
}

function complaint(tool: string, receipt: Receipt): string {
  const words = receipt.text.replaceAll(/\s+/g, ' ').trim().slice(0, 300).toWellFormed()
  return `I could not find out, because ${tool} answered: ${words}`
}

function kindOf(extension: string | undefined): string {
  return extension === undefined ? 'files' : `${extension} files`
}

function placeOf(path: string | undefined): string {
  return path === undefined ? 'here' : `in ${path}`
}

function firstLine(text: string): string | undefined {
  const line = text.split('\n').find((candidate) => candidate.trim() !== '')
  return line === undefined ? undefined : line.trim().slice(0, 120).toWellFormed()
}

function defined(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
