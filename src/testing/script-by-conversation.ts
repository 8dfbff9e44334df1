/**
 * One script for each conversation, so that many can share a server.
 */
import { openingText } from './chat-request.ts'
import type { ScriptedAnswer } from './scripted-answer.ts'
import type { Respond } from './scripted-model-server.ts'

/**
 * Answers each conversation out of its own script, in order of its requests. A script belongs to the conversation
 * whose first user message contains its key; of several such keys the longest counts.
 */
export function scriptByConversation(scripts: Readonly<Record<string, readonly ScriptedAnswer[]>>): Respond {
  const positions = new Map<string, number>()
  const keys = Object.keys(scripts).sort((a, b) => b.length - a.length)
  return (request) => {
    const opening = openingText(request)
    const key = keys.find((candidate) => opening.includes(candidate))
    if (key === undefined) return undefined
    const position = positions.get(key) ?? 0
    positions.set(key, position + 1)
    return scripts[key]?.[position]
  }
}
