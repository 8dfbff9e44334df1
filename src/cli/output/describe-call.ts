import { oneLine } from './terminal-text.ts'

const MAX_ARGUMENTS = 90
const MAX_VALUE = 40

/** A tool call as one short line: `grep pattern="durable agent" extension=.md`. */
export function describeCall(tool: string, argumentsText: string): string {
  return `${oneLine(tool, 64)} ${oneLine(describeArguments(argumentsText), MAX_ARGUMENTS)}`.trimEnd()
}

function describeArguments(argumentsText: string): string {
  let args: unknown
  try {
    args = JSON.parse(argumentsText)
  } catch {
    return argumentsText
  }
  if (typeof args !== 'object' || args === null) return argumentsText
  return Object.entries(args)
    .map(([name, value]) => `${name}=${describeValue(value)}`)
    .join(' ')
}

function describeValue(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const short = oneLine(text, MAX_VALUE)
  return typeof value === 'string' && /[\s="]|^$/.test(short) ? JSON.stringify(short) : short
}
