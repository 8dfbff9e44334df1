/**
 * What `useChat` posts: the whole conversation as the page has it. Of it, what is new to the Session.
 */
import { z } from 'zod'
import { TurnstepError } from '../../../core/errors.ts'
import { isId } from '../../../core/ids.ts'
import type { Content, ContentPart } from '../../../core/message.ts'
import { parseApprovalId } from '../approval-id.ts'
import type { GivenDecision, GivenResult } from '../give-answers.ts'

const Approval = z.looseObject({
  id: z.string(),
  approved: z.boolean().optional(),
  reason: z.string().optional(),
})

const Part = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  url: z.string().optional(),
  mediaType: z.string().optional(),
  filename: z.string().optional(),
  toolCallId: z.string().optional(),
  state: z.string().optional(),
  output: z.unknown().optional(),
  errorText: z.string().optional(),
  approval: Approval.optional(),
})

const UIMessage = z.looseObject({
  id: z.string(),
  role: z.enum(['system', 'user', 'assistant']),
  parts: z.array(Part),
  metadata: z.unknown().optional(),
})

export const ChatRequestBody = z.looseObject({
  id: z.string(),
  messages: z.array(UIMessage).min(1),
  trigger: z.enum(['submit-message', 'regenerate-message']).default('submit-message'),
  /** Of a Session that does not exist yet. */
  agent: z.string().optional(),
})

type Part = z.infer<typeof Part>
type Message = z.infer<typeof UIMessage>

export type ChatRequest =
  /** A message of the user's: its id is the input's. */
  | { readonly kind: 'message'; readonly inputId: string; readonly content: Content }
  /** The page goes on with a Turn's message: it has everything up to `after`, and gives what was asked for. */
  | {
      readonly kind: 'going-on'
      readonly turnId: string
      readonly after?: number
      readonly decisions: readonly GivenDecision[]
      readonly results: readonly GivenResult[]
    }

/** What is asked for. Fails with `invalid-input` for what no Session can do. */
export function readChatRequest({ messages, trigger }: z.infer<typeof ChatRequestBody>): ChatRequest {
  if (trigger === 'regenerate-message')
    refuse(
      'An answer cannot be taken back: what a turn did is done. Send a new message instead of regenerate().',
    )
  const last = messages.at(-1)
  switch (last?.role) {
    case 'user':
      return { kind: 'message', inputId: inputIdOf(last), content: contentOf(messages) }
    case 'assistant':
      return goingOn(last)
    default:
      return refuse('The last message is to be a user’s, or the assistant’s that is gone on with.')
  }
}

function inputIdOf({ id }: Message): string {
  return isId(id) ? id : refuse('The id of a message is 1 to 128 characters out of A-Z a-z 0-9 _ . -')
}

/** The user's messages after the assistant's last one, as one input. */
function contentOf(messages: readonly Message[]): Content {
  const before = messages.findLastIndex(({ role }) => role === 'assistant')
  const said = messages.slice(before + 1).filter(({ role }) => role === 'user')
  const parts = said.flatMap(({ parts }) => parts.flatMap(partOf))
  const [first] = parts
  if (first === undefined) return refuse('The message has neither text nor files.')
  return parts.length === 1 && first.type === 'text' ? first.text : parts
}

function partOf({ type, text, url, mediaType, filename }: Part): readonly ContentPart[] {
  if (type === 'text' && text !== undefined) return [{ type: 'text', text }]
  if (type !== 'file' || url === undefined) return []
  const about = mediaType === undefined ? {} : { mediaType }
  if (mediaType?.startsWith('image/') === true) return [{ type: 'image', ref: url, ...about }]
  return [{ type: 'file', ref: url, ...about, ...(filename === undefined ? {} : { name: filename }) }]
}

const ANSWER_ID = /^answer-(.+)$/

function goingOn({ id, parts, metadata }: Message): ChatRequest {
  const turnId =
    ANSWER_ID.exec(id)?.[1] ?? refuse(`The message ${id} is none of ours, so there is no turn to go on with.`)
  const after = Metadata.safeParse(metadata).data?.turnstep.after
  return {
    kind: 'going-on',
    turnId,
    ...(after === undefined ? {} : { after }),
    decisions: parts.flatMap(decisionOf),
    results: parts.flatMap(resultOf),
  }
}

const Metadata = z.looseObject({ turnstep: z.looseObject({ after: z.int().min(0).optional() }) })

function decisionOf({ state, approval }: Part): readonly GivenDecision[] {
  if (state !== 'approval-responded' || approval?.approved === undefined) return []
  const target = parseApprovalId(approval.id)
  if (target === undefined) return refuse(`The approval ${approval.id} is none of ours.`)
  const { approved, reason } = approval
  const note = reason === undefined ? {} : { note: reason }
  return [{ ...target, decision: approved ? 'approve' : 'deny', ...note }]
}

function resultOf({ state, toolCallId, output, errorText = '' }: Part): readonly GivenResult[] {
  if (toolCallId === undefined) return []
  if (state === 'output-available') return [{ callId: toolCallId, content: output, isError: false }]
  return state === 'output-error' ? [{ callId: toolCallId, content: errorText, isError: true }] : []
}

function refuse(why: string): never {
  throw new TurnstepError('invalid-input', why)
}
