/**
 * What an AG-UI client posts, `RunAgentInput`: of it, what is new to the Session.
 */
import { z } from 'zod'
import { TurnstepError } from '../../../core/errors.ts'
import { isId } from '../../../core/ids.ts'
import type { Content, ContentPart } from '../../../core/message.ts'
import { parseApprovalId } from '../approval-id.ts'
import type { GivenDecision, GivenResult } from '../give-answers.ts'

const Source = z.looseObject({ type: z.string(), value: z.string(), mimeType: z.string().optional() })

const Part = z.looseObject({ type: z.string(), text: z.string().optional(), source: Source.optional() })

const Message = z.looseObject({
  id: z.string(),
  role: z.string(),
  content: z.union([z.string(), z.array(Part), z.looseObject({})]).optional(),
  toolCallId: z.string().optional(),
  error: z.string().optional(),
})

const Decision = z.looseObject({
  decision: z.enum(['approve', 'edit', 'deny', 'replan']),
  arguments: z.record(z.string(), z.unknown()).optional(),
  text: z.string().optional(),
  scope: z.enum(['once', 'session']).optional(),
  // biome-ignore lint/suspicious/noThenProperty: what a decision calls it
  then: z.enum(['continue', 'replan']).optional(),
  note: z.string().optional(),
})

const Resume = z.looseObject({
  interruptId: z.string(),
  status: z.enum(['resolved', 'cancelled']),
  payload: z.unknown().optional(),
})

export const RunAgentInput = z.looseObject({
  threadId: z.string(),
  runId: z.string(),
  state: z.unknown().optional(),
  messages: z.array(Message),
  tools: z.array(z.looseObject({ name: z.string() })).optional(),
  context: z.array(z.looseObject({ description: z.string() })).optional(),
  resume: z.array(Resume).optional(),
})

type Message = z.infer<typeof Message>

export type RunAsked =
  | { readonly kind: 'message'; readonly inputId: string; readonly content: Content }
  /** A Turn waits for these. */
  | {
      readonly kind: 'going-on'
      readonly callIds: ReadonlySet<string>
      readonly decisions: readonly GivenDecision[]
      readonly results: readonly GivenResult[]
    }

/** What is asked for. Fails with `invalid-input` for what no Session can do. */
export function readRunInput({ messages, resume = [] }: z.infer<typeof RunAgentInput>): RunAsked {
  const decisions = resume.map(decisionOf)
  const before = messages.findLastIndex(({ role }) => role === 'assistant')
  const since = messages.slice(before + 1)
  const said = since.filter(({ role }) => role === 'user')
  const results = since.flatMap(resultOf)
  if (decisions.length > 0 || (results.length > 0 && said.length === 0)) {
    if (said.length > 0) refuse('A run either resumes or has a new message: not both.')
    const callIds = new Set([...decisions, ...results].map(({ callId }) => callId))
    return { kind: 'going-on', callIds, decisions, results }
  }
  const last = said.at(-1) ?? refuse('There is no message of the user’s after the assistant’s last one.')
  if (!isId(last.id)) refuse('The id of a message is 1 to 128 characters out of A-Z a-z 0-9 _ . -')
  return { kind: 'message', inputId: last.id, content: contentOf(said) }
}

function decisionOf({ interruptId, status, payload }: z.infer<typeof Resume>): GivenDecision {
  const target = parseApprovalId(interruptId) ?? refuse(`The interrupt ${interruptId} is none of ours.`)
  if (status === 'cancelled') return { ...target, decision: 'deny' }
  const { data, error } = Decision.safeParse(payload)
  if (error !== undefined)
    return refuse('The payload of a resolved interrupt has a decision: approve, edit, deny or replan.')
  const { decision, arguments: args, text, scope, then, note } = data
  return {
    ...target,
    decision,
    ...(args === undefined ? {} : { arguments: args }),
    ...(text === undefined ? {} : { text }),
    ...(scope === undefined ? {} : { scope }),
    ...(then === undefined ? {} : { then }),
    ...(note === undefined ? {} : { note }),
  }
}

function resultOf({ role, toolCallId, content = '', error }: Message): readonly GivenResult[] {
  if (role !== 'tool' || toolCallId === undefined) return []
  return [{ callId: toolCallId, content: error ?? content, isError: error !== undefined }]
}

function contentOf(said: readonly Message[]): Content {
  const parts = said.flatMap(({ content = '' }): readonly ContentPart[] => {
    if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
    return Array.isArray(content) ? content.flatMap((part) => partOf(part as z.infer<typeof Part>)) : []
  })
  const [first] = parts
  if (first === undefined) return refuse('The message has neither text nor files.')
  return parts.length === 1 && first.type === 'text' ? first.text : parts
}

function partOf({ type, text, source }: z.infer<typeof Part>): readonly ContentPart[] {
  if (type === 'text' && text !== undefined) return [{ type: 'text', text }]
  if (source === undefined) return []
  const { mimeType } = source
  const about = mimeType === undefined ? {} : { mediaType: mimeType }
  const ref =
    source.type === 'data'
      ? `data:${mimeType ?? 'application/octet-stream'};base64,${source.value}`
      : source.value
  return [{ type: type === 'image' ? 'image' : 'file', ref, ...about }]
}

function refuse(why: string): never {
  throw new TurnstepError('invalid-input', why)
}
