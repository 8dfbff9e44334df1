import { isTurnstepError, TurnstepError } from '../core/errors.ts'
import { inputKey } from '../core/ids.ts'
import type { Content } from '../core/message.ts'
import { readStoredContent } from '../core/read-signal.ts'
import type { PendingInputs, WakeSignal, WireContent } from '../core/wire.ts'
import { isContentRef, QUERY, SIGNAL } from '../core/wire.ts'
import type { SessionLink } from './session-link.ts'
import { currentRun, fateOf, handleOf, unreachable } from './session-link.ts'

/**
 * Withdraws an input that still waits: first in the log, then the workflow is told. Fails with
 * `input-already-claimed` when it has another fate, with `input-not-found` when it waits nowhere.
 */
export async function withdrawInput(link: SessionLink, inputId: string): Promise<void> {
  const before = await fateOf(link, inputId)
  if (before !== undefined) return judge(before.type, inputId)
  const content = await pendingContent(link, inputId)
  if (content === undefined) {
    const now = await fateOf(link, inputId)
    if (now !== undefined) return judge(now.type, inputId)
    throw new TurnstepError(
      'input-not-found',
      `Input ${inputId} is not waiting in session ${link.key.session}.`,
    )
  }
  const result = await link.store.commit(link.key, {
    keys: [],
    decide: ({ head }) => ({
      append: [
        {
          type: 'input/withdrawn',
          turnId: head.open?.turnId ?? null,
          turn: head.open?.turn ?? null,
          key: inputKey(inputId),
          inputId,
          content,
        },
      ],
      answer: undefined,
    }),
  })
  const recorded = result.kind === 'committed' ? result.events[0] : undefined
  if (recorded !== undefined) judge(recorded.type, inputId)
  const wake: WakeSignal = { v: 1, kind: 'withdrawn', id: inputId }
  // The log decides; a workflow that is not told finds out at the claim.
  await handleOf(link)
    .signal(SIGNAL.wake, wake)
    .catch(() => undefined)
}

function judge(fate: string, inputId: string): void {
  if (fate === 'input/withdrawn') return
  throw new TurnstepError(
    'input-already-claimed',
    `Input ${inputId} cannot be withdrawn any more: it is settled (${fate}).`,
  )
}

/** What waits under this id, by the workflow; undefined when it does not wait. */
async function pendingContent(link: SessionLink, inputId: string): Promise<Content | undefined> {
  const pending = await pendingInputs(link)
  const found = pending.find(({ id }) => id === inputId)
  return found === undefined ? undefined : readContent(link, found.content)
}

/** A worker that is well says what waits in milliseconds; without one Temporal would wait for half a minute. */
const QUERY_MS = 3_000

/**
 * The inputs that wait, in order of arrival; none wait in an idle Session. Fails with `temporal-unavailable` when no
 * worker says it in time.
 */
export async function pendingInputs(link: SessionLink): Promise<PendingInputs> {
  try {
    return await link.temporal.withDeadline(Date.now() + QUERY_MS, () =>
      handleOf(link).query<PendingInputs>(QUERY.pending),
    )
  } catch (error) {
    if (error instanceof Error && error.name === 'WorkflowNotFoundError') return []
    const failure = unreachable(error)
    if (!isTurnstepError(failure)) throw failure
    throw new TurnstepError(
      'temporal-unavailable',
      `No worker says what waits in session ${link.key.session}. Try again once one runs.`,
      { cause: error },
    )
  }
}

/** Whether an input has arrived: it has its fate, or waits. */
export async function isKnown(link: SessionLink, inputId: string): Promise<boolean> {
  if ((await fateOf(link, inputId)) !== undefined) return true
  const run = await currentRun(link)
  if (run?.isRunning !== true) return false
  // Without a worker nobody can say what waits; then it is sent, and the store removes what came twice.
  const pending = await pendingInputs(link).catch(() => [])
  return pending.some(({ id }) => id === inputId)
}

async function readContent(link: SessionLink, content: WireContent): Promise<Content> {
  if (!isContentRef(content)) return content
  const text = await link.store.getContent(link.key.tenant, content.ref)
  return (text === undefined ? undefined : readStoredContent(text)) ?? ''
}
