/**
 * Sending inputs: followups and steers, as signals that open a Turn when the Session is idle.
 */
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client'
import { TurnstepError } from '../core/errors.ts'
import type { InputOrigin, Notify } from '../core/event.ts'
import { parseWorkflowId, workflowIdOf } from '../core/ids.ts'
import { jsonBytes } from '../core/inbox.ts'
import type { Content } from '../core/message.ts'
import { readInput } from '../core/read-signal.ts'
import type { InputSignal, TurnOpening, WireContent } from '../core/wire.ts'
import { CONTENT_INLINE_BYTES, INBOX_LIMITS, SIGNAL, WORKFLOW_TYPE } from '../core/wire.ts'
import type { SessionLink } from './session-link.ts'
import { unreachable } from './session-link.ts'
import { isKnown } from './withdraw-input.ts'

export interface InputOptions {
  /** Chosen by the caller to make resending harmless; default a random one. */
  readonly id?: string
  readonly origin?: InputOrigin
  readonly author?: string
  readonly notify?: Notify
}

/** An id for an input that was given none. */
function newInputId(): string {
  return crypto.randomUUID()
}

/** Builds the payload of a signal, with content above 16 KiB put into the store. Fails with `invalid-input`. */
export async function inputSignal(
  link: SessionLink,
  content: Content,
  options: InputOptions & Pick<InputSignal, 'expectedTurnId' | 'ifStale'>,
): Promise<InputSignal> {
  const fields = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
  const whole = { v: 1 as const, id: newInputId(), ...fields, content }
  const sizeBytes = jsonBytes(content)
  const isLarge = sizeBytes > CONTENT_INLINE_BYTES
  const judged = readInput(isLarge ? { ...whole, content: { ref: '', sizeBytes } } : whole)
  const isUsable = judged.kind === 'input' && (!isLarge || readContent(content))
  if (!isUsable) {
    throw new TurnstepError(
      'invalid-input',
      'An input needs content (text, or parts of type text, image or file) and an id of 1 to 128 characters out of A-Z a-z 0-9 _ . -',
    )
  }
  const { notify } = options
  if (notify !== undefined && 'webhook' in notify && !isWebAddress(notify.webhook))
    throw new TurnstepError('invalid-input', 'notify.webhook must be an http or https address.')
  if (notify !== undefined && 'workflowId' in notify && parseWorkflowId(notify.workflowId) !== undefined)
    throw new TurnstepError(
      'invalid-input',
      `notify cannot signal ${notify.workflowId}: it is the workflow of a session. Name a workflow of your own.`,
    )
  return isLarge ? { ...whole, content: await keep(link, content, sizeBytes) } : whole
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
}

/** Sends a signal that opens a Turn when the Session is idle. */
export async function signalWithStart(link: SessionLink, signal: string, payload: unknown): Promise<void> {
  const opening: TurnOpening = { v: 1 }
  try {
    await link.temporal.workflow.signalWithStart(WORKFLOW_TYPE, {
      ...startOptions(link),
      args: [opening],
      signal,
      signalArgs: [payload],
    })
  } catch (error) {
    throw unreachable(error)
  }
}

/** Opens a Turn with this input, or fails with `session-busy` when one is running. */
export async function startIfIdle(link: SessionLink, input: InputSignal): Promise<void> {
  const opening: TurnOpening = { v: 1, input }
  try {
    await link.temporal.workflow.start(WORKFLOW_TYPE, {
      ...startOptions(link),
      args: [opening],
      workflowIdConflictPolicy: 'FAIL',
    })
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw unreachable(error)
    if (await isKnown(link, input.id)) return
    throw new TurnstepError(
      'session-busy',
      `Session ${link.key.session} has a running turn. Steer it, queue the message, or wait.`,
    )
  }
}

/** Signals that stop the Turn and bring the next input; opens one when the Session is idle. */
export async function sendInterrupt(link: SessionLink, turnId: string, input: InputSignal): Promise<void> {
  await signalWithStart(link, SIGNAL.interrupt, { v: 1, stop: { turnId }, input })
}

function startOptions(link: SessionLink) {
  // A worker that dies in the middle of a workflow task is noticed after this.
  return { workflowId: workflowIdOf(link.key), taskQueue: link.taskQueue, workflowTaskTimeout: '5s' } as const
}

async function keep(link: SessionLink, content: Content, sizeBytes: number): Promise<WireContent> {
  return { ref: await link.store.putContent(link.key.tenant, JSON.stringify(content)), sizeBytes }
}

/** Whether content that is too large for a signal would be readable if it were not. */
function readContent(content: Content): boolean {
  const parts = typeof content === 'string' ? [content] : content
  return parts.every((part) => readInput({ id: 'x', content: shortened(part) }).kind === 'input')
}

function shortened(part: string | Exclude<Content, string>[number]): unknown {
  const limit = INBOX_LIMITS.signalBytes / 8
  if (typeof part === 'string') return part.trim().slice(0, limit)
  return [
    part.type === 'text'
      ? { ...part, text: part.text.slice(0, limit) }
      : { ...part, ref: part.ref.slice(0, limit) },
  ]
}
