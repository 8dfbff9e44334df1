/**
 * Running one tool call: claim before the effect, run, commit the receipt.
 *
 * Also what waits is looked at here, again whenever the workflow is woken: a call that needs a human's approval
 * runs only if the log has it, a call that the client runs is answered by what the log has.
 */
import { ApplicationFailure, CancelledFailure } from '@temporalio/common'
import { auditEvent } from '../core/audit-event.ts'
import type { CallClaim } from '../core/decide-call.ts'
import { callKeys, decideClaim, resultEvent } from '../core/decide-call.ts'
import type { ReceiptFields } from '../core/decide-step.ts'
import { isTurnstepError } from '../core/errors.ts'
import type { EventOf, NewEvent, RiskLevel } from '../core/event.ts'
import type { SessionKey } from '../core/ids.ts'
import { callKey, toolUnit } from '../core/ids.ts'
import type { AttemptOutcome, Attempts, ToolDescription } from '../core/ports.ts'
import { bringsOutside } from '../core/ports.ts'
import { clip } from '../core/printable-text.ts'
import { hasRun, synthesizedText } from '../core/receipt.ts'
import { resultOptions } from '../core/result-options.ts'
import { isStopRequested, sessionOfActivity } from './attempt.ts'
import { commitResult, patiently } from './commit-result.ts'
import type { RunToolAnswer, RunToolRequest } from './contracts.ts'
import { digestOf, fingerprintOf, requestIdOf } from './digest.ts'
import { Result } from './finalize-result.ts'
import type { FoundCall } from './find-call.ts'
import { findCall, positionOf } from './find-call.ts'
import type { BoundPorts } from './ports.ts'
import { redactedError } from './redacted-error.ts'
import { millisecondsUntil } from './request-approval.ts'
import { runWithin } from './run-within.ts'
import { beginSpillPatiently, sessionSpills } from './session-spills.ts'

/** Attempts at one call that may lose their worker before the call is given up. */
const MAX_LOST_WORKERS = 5

/** How much of a note, or of edited arguments, the model is told with the receipt; in UTF-16 units. */
const MAX_TOLD = 2_000

/** What a call came to, before it is a receipt. */
type Outcome = ReceiptFields

/** One execution of this activity. */
interface Running {
  readonly key: SessionKey
  readonly request: RunToolRequest
  readonly found: FoundCall
  readonly requestId: string
  readonly signal: AbortSignal
  /** Number of this attempt, from 1. */
  readonly attempt: number
}

export async function runTool(
  ports: BoundPorts,
  request: RunToolRequest,
  signal: AbortSignal,
): Promise<RunToolAnswer> {
  const key = sessionOfActivity()
  const found = await findCall(ports, key, request)
  if (found === undefined) return { kind: 'log-behind' }
  const requestId = requestIdOf(key, found.position)
  const first = { key, request, found, requestId, signal, attempt: 1 }
  // Only what a human wrote instead can be invalid now; the model's arguments were judged with their message.
  const { decided, validation } = found
  if (decided?.decision === 'edit' && validation?.kind === 'invalid' && !(await isClaimed(ports, first)))
    return share(ports, first, invalidEdit(validation.problem))
  const claim = await claimCall(ports, first)
  if (claim.kind === 'refused') return { kind: 'turn-closed' }
  const { answer, attempts } = claim
  const running = { ...first, attempt: attempts?.number ?? 1 }
  switch (answer.kind) {
    case 'answered':
      return share(ports, running, answer.result)
    case 'outcome-unknown':
      return share(ports, running, { kind: answer.kind, content: synthesizedText(answer.kind) })
    case 'denied':
    case 'timed-out':
      return share(ports, running, { kind: answer.kind, content: answer.content })
    case 'waiting':
      await end(ports, running, 'interrupted')
      return {
        kind: 'waiting',
        seq: claim.head.seq,
        expiresInMs: millisecondsUntil(answer.expiresAt),
        ...(answer.isGiven ? { given: true } : {}),
      }
    case 'turn-closed':
    case 'log-behind':
      return answer
    case 'run':
      return share(ports, running, await outcomeOf(ports, running, attempts?.lost ?? 0))
  }
}

function claimCall(ports: BoundPorts, { key, request, found, requestId }: Running) {
  const { position, tool, call } = found
  const now = new Date()
  const isClients = tool.execution === 'client'
  const offer = {
    ...position,
    tool: tool.name,
    effect: tool.effect,
    requestId,
    risk: riskOf(found),
    argumentsDigest: digestOf(call.arguments),
    seenSeq: request.seq,
    now: now.toISOString(),
    ...(isClients ? { expiresAt: new Date(now.getTime() + tool.timeoutMs).toISOString() } : {}),
    ...(call.needsApproval
      ? {
          approval: request.deny === undefined ? {} : { deny: request.deny },
        }
      : {}),
  }
  return ports.store.commit<CallClaim>(key, {
    keys: callKeys(position),
    beginAttempt: toolUnit(position.turnId, position),
    decide: (view) => decideClaim(view, offer),
  })
}

async function isClaimed({ store }: BoundPorts, { key, found }: Running): Promise<boolean> {
  const { position } = found
  return (await store.find(key, callKey(position.turnId, position, 'call'))) !== undefined
}

function riskOf({ validation }: FoundCall): RiskLevel {
  return validation?.kind === 'valid' ? validation.risk : 'low'
}

function invalidEdit(problem: string): Outcome {
  return {
    kind: 'invalid-arguments',
    content: `A human changed the arguments of this call, but they do not fit it, and nothing was run. ${problem}`,
  }
}

async function outcomeOf(ports: BoundPorts, running: Running, lost: number): Promise<Outcome> {
  if (lost > MAX_LOST_WORKERS)
    return { kind: 'failed', content: 'Failed: every worker that ran this call died. Do not try it again.' }
  const outcome = await execute(ports, running)
  const { tool, decided, call } = running.found
  const notice = noticeOf(decided, call.arguments)
  const isTools = outcome.kind === 'ok' || outcome.kind === 'failed'
  return {
    ...outcome,
    ...(notice === undefined ? {} : { notice }),
    ...(isTools ? { mark: newMark() } : {}),
    ...(isTools && bringsOutside(tool) ? { outside: true } : {}),
  }
}

/** Random, so that whoever wrote the content cannot know it. */
function newMark(): string {
  return crypto.randomUUID().slice(0, 8)
}

/** What the model is told of what a human did to its call. */
function noticeOf(decided: FoundCall['decided'], args: string): string | undefined {
  if (decided === undefined) return undefined
  const note = decided.note?.trim() ? ` Their note: ${clip(decided.note, MAX_TOLD)}` : ''
  if (decided.decision === 'edit')
    return `A human changed the arguments of this call before it ran, to ${clip(args, MAX_TOLD)}.${note}`
  return note === '' ? undefined : `A human approved this call.${note}`
}

/** Runs the tool once. Throws where another attempt is to be made, or where nothing may be said of the outcome. */
async function execute(ports: BoundPorts, run: Running): Promise<Outcome> {
  const { key, found, requestId, signal } = run
  const { tool, position, host, validation, redactor } = found
  const args = validation?.kind === 'valid' ? validation.args : undefined
  const result = resultOf(ports, run)
  const ended = await runWithin(tool.timeoutMs, signal, async (toolSignal) => {
    // The message was judged by the tools of its day; since then a worker without this one took over.
    if (host === undefined || validation?.kind !== 'valid')
      throw new Error(`The tool ${tool.name} is not available with these arguments any more.`)
    const context = {
      signal: toolSignal,
      requestId,
      callId: position.callId,
      session: key,
      turnId: position.turnId,
      spills: sessionSpills(ports.store, key),
    }
    return result.receive(await host.run(tool.name, validation.args, context), toolSignal)
  })
  const { durationMs } = ended
  switch (ended.kind) {
    case 'returned': {
      // Redacted before it is mapped, and what comes of it once more as text.
      const shape = (value: unknown) =>
        host?.shape === undefined || tool.isMapped !== true
          ? value
          : host.shape(tool.name, redactor.redactValue(value), args)
      const { kind, ...final } = await result.finalize(ended.value, shape)
      return { kind: kind === 'ok' ? kind : unusable(tool), ...final, durationMs }
    }
    case 'timed-out':
      return { kind: 'timed-out', content: await result.breakOff(timedOutText(tool)), durationMs }
    case 'threw': {
      const content = await result.breakOff(redactedError(redactor, ended.error))
      if (isStoreFailure(ended.error)) throw ended.error
      if (tool.effect !== 'once' && tool.retries > 0) await retryWhileAllowed(ports, run)
      return { kind: 'failed', content, durationMs }
    }
    case 'aborted': {
      const content = await result.breakOff(stoppedText(tool))
      if (result.hasBegun && (await isStopRequested(ports))) return { kind: 'failed', content, durationMs }
      return stop(ports, run)
    }
  }
}

function resultOf({ store }: BoundPorts, { key, found: { tool, limits, redactor } }: Running): Result {
  const beginSpill = (options: { readonly quotaBytes: number }) => beginSpillPatiently(store, key, options)
  return new Result(resultOptions({ tool, limits, redact: redactor.redactText, beginSpill }))
}

/** The store's own failure, met while a result was written to it: not the tool's, and not for the model. */
function isStoreFailure(error: unknown): boolean {
  return isTurnstepError(error) && (error.code === 'store-unavailable' || error.code === 'store-corrupt')
}

/** Throws, so that Temporal tries again, while the tool has retries left. */
async function retryWhileAllowed(ports: BoundPorts, run: Running): Promise<void> {
  const { tool } = run.found
  const { tool: failures } = await end(ports, run, 'tool')
  if (failures > tool.retries) return
  throw ApplicationFailure.retryable(`The tool ${tool.name} failed and is tried again`, 'tool-failed')
}

/**
 * The tool was told to stop and returned nothing. After the user's stop the closing writes the receipt; a
 * worker that shuts down leaves the call to the next attempt, which knows by the claim that it was started.
 */
async function stop(ports: BoundPorts, run: Running): Promise<never> {
  if (!(await isStopRequested(ports))) await end(ports, run, 'interrupted')
  throw run.signal.reason instanceof CancelledFailure
    ? run.signal.reason
    : new CancelledFailure('The call was stopped')
}

function end(ports: BoundPorts, run: Running, outcome: AttemptOutcome): Promise<Attempts> {
  const { position } = run.found
  const unit = toolUnit(position.turnId, position)
  return patiently(() => ports.store.endAttempt(run.key, unit, { number: run.attempt, outcome }))
}

/** It has had its effect: a call that must not run twice counts as one whose outcome is not known. */
function unusable(tool: ToolDescription): 'outcome-unknown' | 'failed' {
  return tool.effect === 'once' ? 'outcome-unknown' : 'failed'
}

function stoppedText(tool: ToolDescription): string {
  return tool.effect === 'read'
    ? 'Stopped before it had returned everything.'
    : 'Stopped before it had returned everything. It may or may not have taken effect. Verify before you try again.'
}

function timedOutText(tool: ToolDescription): string {
  const known = `Timed out after ${tool.timeoutMs} ms without a result.`
  return tool.effect === 'read'
    ? `${known} It only reads, so nothing was changed.`
    : `${known} It may or may not have taken effect. Verify before you try again.`
}

/** Commits the receipt of the call, the same for the identical calls that share it, and the audit record. */
async function share(ports: BoundPorts, running: Running, outcome: Outcome): Promise<RunToolAnswer> {
  const { key, request, found } = running
  const isUnchanged =
    digestOfResult(outcome, request) === request.unchangedIf && request.unchangedIf !== undefined
  const result = isUnchanged ? unchanged(outcome) : fieldsOf(outcome)
  const receipts = [request.callId, ...(request.sharedBy ?? [])].map((callId) =>
    resultEvent(positionOf({ ...request, callId }), result),
  )
  const committed = await commitResult(ports.store, key, {
    keys: [],
    decide: () => ({ append: [...receipts, ...auditOf(running, outcome)], answer: undefined }),
  })
  if (committed.kind === 'refused') return { kind: 'turn-closed' }
  const receipt = committed.events[0] as EventOf<'tool/result'>
  const digest = digestOfResult(receipt, request)
  const isReplanned = found.decided?.decision === 'replan' || found.decided?.then === 'replan'
  return {
    kind: receipt.kind,
    seq: committed.head.seq,
    ...(digest === undefined ? {} : { digest }),
    ...(isReplanned ? { replan: true } : {}),
  }
}

const UNCHANGED = 'Unchanged: the result is the same as last time. See the receipt of the same call above.'

function unchanged({ mark: _, digest: __, ...outcome }: Outcome): Outcome {
  return { ...fieldsOf(outcome), content: UNCHANGED }
}

/** What a receipt says, without where it stands: an outcome may be an event of the log. */
function fieldsOf(outcome: Outcome): Outcome {
  const { kind, content, spill, digest, durationMs, mark, outside, notice } = outcome
  return {
    kind,
    content,
    ...(spill === undefined ? {} : { spill }),
    ...(digest === undefined ? {} : { digest }),
    ...(durationMs === undefined ? {} : { durationMs }),
    ...(mark === undefined ? {} : { mark }),
    ...(outside === undefined ? {} : { outside }),
    ...(notice === undefined ? {} : { notice }),
  }
}

/** The record of a call of more than low risk that ran, or may have. */
function auditOf(running: Running, { kind }: Outcome): readonly NewEvent[] {
  const { found, requestId } = running
  const risk = riskOf(found)
  if (risk === 'low' || !hasRun(kind)) return []
  const { position, call, decided, head } = found
  const { turnId, turn, step, callId } = position
  return [
    auditEvent({
      ...{ turnId, turn, step, callId, tool: call.tool, risk, requestId },
      argumentsDigest: digestOf(call.arguments),
      outcome: kind,
      agent: head.open?.agent ?? '',
      ...(decided === undefined ? {} : { approvedBy: decided.by }),
    }),
  ]
}

/** Digest of what a tool said, by its receipt; undefined for receipts that no tool produced. */
function digestOfResult(result: Outcome, request: RunToolRequest): string | undefined {
  if (result.kind !== 'ok' && result.kind !== 'failed') return undefined
  return result.content === UNCHANGED
    ? request.unchangedIf
    : fingerprintOf(`${result.kind} ${result.content} ${result.digest ?? ''}`)
}
