/**
 * Running one tool call: claim before the effect, run, commit the receipt.
 */
import { ApplicationFailure, CancelledFailure } from '@temporalio/common'
import type { CallClaim, CallPosition } from '../core/decide-call.ts'
import { callKeys, decideClaim, resultEvent } from '../core/decide-call.ts'
import { describeToolError } from '../core/describe-tool-error.ts'
import type { EventOf, RiskLevel } from '../core/event.ts'
import type { SessionKey } from '../core/ids.ts'
import { parseCallId, stepKey, toolUnit } from '../core/ids.ts'
import { parseArguments } from '../core/parse-arguments.ts'
import type { ToolDescription, ToolRunContext } from '../core/ports.ts'
import type { ReceiptKind } from '../core/receipt.ts'
import { synthesizedText } from '../core/receipt.ts'
import { renderResult } from '../core/render-result.ts'
import { isStopRequested, sessionOfActivity } from './attempt.ts'
import { commitResult, patiently } from './commit-result.ts'
import type { RunToolAnswer, RunToolRequest } from './contracts.ts'
import { fingerprintOf, requestIdOf } from './digest.ts'
import type { BoundPorts } from './ports.ts'
import { runWithin } from './run-within.ts'

/** Attempts at one call that may lose their worker before the call is given up. */
const MAX_LOST_WORKERS = 5

/** What a call came to, before it is a receipt. */
interface Outcome {
  readonly kind: ReceiptKind
  readonly content: string
  readonly durationMs?: number
}

/** A call as the log has it, with what is needed to run it. */
interface Prepared {
  readonly position: CallPosition
  readonly tool: ToolDescription
  readonly risk: RiskLevel
  run(context: ToolRunContext): Promise<unknown>
}

export async function runTool(
  ports: BoundPorts,
  request: RunToolRequest,
  signal: AbortSignal,
): Promise<RunToolAnswer> {
  const { store } = ports
  const key = sessionOfActivity()
  const position = positionOf(request)
  const prepared = await prepare(ports, key, position)
  if (prepared === undefined) return { kind: 'log-behind' }
  const requestId = requestIdOf(key, position)
  const { tool, risk } = prepared
  const claim = await store.commit<CallClaim>(key, {
    keys: callKeys(position),
    beginAttempt: toolUnit(position.turnId, position),
    decide: (view) =>
      decideClaim(view, {
        ...position,
        tool: tool.name,
        effect: tool.effect,
        requestId,
        risk,
        seenSeq: request.seq,
      }),
  })
  if (claim.kind === 'refused') return { kind: 'turn-closed' }
  const { answer, attempts } = claim
  switch (answer.kind) {
    case 'answered':
      return share(ports, key, request, { kind: answer.result.kind, content: answer.result.content })
    case 'outcome-unknown':
      return share(ports, key, request, { kind: answer.kind, content: synthesizedText(answer.kind) })
    case 'turn-closed':
    case 'log-behind':
      return answer
    case 'run':
      break
  }
  const outcome =
    (attempts?.lost ?? 0) > MAX_LOST_WORKERS
      ? {
          kind: 'failed' as const,
          content: 'Failed: every worker that ran this call died. Do not try it again.',
        }
      : await execute(ports, { key, prepared, requestId, signal, attempt: attempts?.number ?? 1 })
  return share(ports, key, request, outcome)
}

function positionOf(request: RunToolRequest): CallPosition {
  const parsed = parseCallId(request.callId)
  if (parsed === undefined) throw new Error(`Not a call id of ours: ${request.callId}`)
  return { turnId: request.turnId, callId: request.callId, ...parsed }
}

/** Finds the call in the log; undefined when the log lacks it. */
async function prepare(
  ports: BoundPorts,
  key: SessionKey,
  position: CallPosition,
): Promise<Prepared | undefined> {
  const message = await ports.store.find(key, stepKey(position.turnId, position.step, 'message'))
  if (message?.type !== 'assistant/message') return undefined
  const call = message.calls[position.index]
  if (call === undefined) return undefined
  const { open } = await ports.store.head(key)
  const snapshot = await ports.snapshots.load(key.tenant, open?.agentDigest ?? '')
  const host = ports.agents.get(open?.agent)?.tools
  const described = snapshot?.tools.find(({ name }) => name === call.tool)
  const parsed = parseArguments(call.arguments)
  const isKnown = described !== undefined && host !== undefined && parsed.kind === 'parsed'
  const validation = isKnown ? await host.validate(call.tool, parsed.value) : undefined
  const tool = described ?? goneTool(call.tool)
  if (host === undefined || validation?.kind !== 'valid') {
    // The message was judged by the tools of its day; since then a worker without this one took over.
    const gone = new Error(`The tool ${call.tool} is not available with these arguments any more.`)
    return { position, tool, risk: 'low', run: () => Promise.reject(gone) }
  }
  const { args, risk } = validation
  return { position, tool, risk, run: (context) => host.run(call.tool, args, context) }
}

function goneTool(name: string): ToolDescription {
  return { name, description: '', parameters: {}, effect: 'once', risk: 'low', timeoutMs: 1_000, retries: 0 }
}

/** Runs the tool once. Throws where another attempt is to be made, or where nothing may be said of the outcome. */
async function execute(
  ports: BoundPorts,
  run: {
    readonly key: SessionKey
    readonly prepared: Prepared
    readonly requestId: string
    readonly signal: AbortSignal
    readonly attempt: number
  },
): Promise<Outcome> {
  const { key, prepared, requestId, signal } = run
  const { tool, position } = prepared
  const ended = await runWithin(tool.timeoutMs, signal, (toolSignal) =>
    prepared.run({
      signal: toolSignal,
      requestId,
      callId: position.callId,
      session: key,
      turnId: position.turnId,
    }),
  )
  const { durationMs } = ended
  switch (ended.kind) {
    case 'returned': {
      const rendered = renderResult(ended.value)
      // It has had its effect: a call that must not run twice counts as one whose outcome is not known.
      if (rendered.kind === 'unserializable') {
        const kind = tool.effect === 'once' ? 'outcome-unknown' : 'failed'
        return { kind, content: rendered.problem, durationMs }
      }
      return { kind: 'ok', content: rendered.text, durationMs }
    }
    case 'timed-out':
      return { kind: 'timed-out', content: timedOutText(tool), durationMs }
    case 'threw': {
      const content = describeToolError(ended.error)
      if (tool.effect !== 'once' && tool.retries > 0) await retryWhileAllowed(ports, run)
      return { kind: 'failed', content, durationMs }
    }
    case 'aborted':
      return stop(ports, run)
  }
}

/** Throws, so that Temporal tries again, while the tool has retries left. */
async function retryWhileAllowed(
  ports: BoundPorts,
  run: { readonly key: SessionKey; readonly prepared: Prepared; readonly attempt: number },
): Promise<void> {
  const { position, tool } = run.prepared
  const unit = toolUnit(position.turnId, position)
  const ended = { number: run.attempt, outcome: 'tool' } as const
  const { tool: failures } = await patiently(() => ports.store.endAttempt(run.key, unit, ended))
  if (failures > tool.retries) return
  throw ApplicationFailure.retryable(`The tool ${tool.name} failed and is tried again`, 'tool-failed')
}

/**
 * The tool was told to stop and returned nothing. After the user's stop the closing writes the receipt; a
 * worker that shuts down leaves the call to the next attempt, which knows by the claim that it was started.
 */
async function stop(
  ports: BoundPorts,
  run: {
    readonly key: SessionKey
    readonly prepared: Prepared
    readonly attempt: number
    readonly signal: AbortSignal
  },
): Promise<never> {
  const { position } = run.prepared
  if (!(await isStopRequested(ports))) {
    const attempt = { number: run.attempt, outcome: 'interrupted' as const }
    const unit = toolUnit(position.turnId, position)
    await patiently(() => ports.store.endAttempt(run.key, unit, attempt))
  }
  throw run.signal.reason instanceof CancelledFailure
    ? run.signal.reason
    : new CancelledFailure('The call was stopped')
}

function timedOutText(tool: ToolDescription): string {
  const known = `Timed out after ${tool.timeoutMs} ms without a result.`
  return tool.effect === 'read'
    ? `${known} It only reads, so nothing was changed.`
    : `${known} It may or may not have taken effect. Verify before you try again.`
}

/** Commits the receipt of the call, and the same for the identical calls that share it. */
async function share(
  ports: BoundPorts,
  key: SessionKey,
  request: RunToolRequest,
  outcome: Outcome,
): Promise<RunToolAnswer> {
  const isUnchanged =
    digestOfResult(outcome, request) === request.unchangedIf && request.unchangedIf !== undefined
  const result = { ...outcome, ...(isUnchanged ? { content: UNCHANGED } : {}) }
  const receipts = [request.callId, ...(request.sharedBy ?? [])].map((callId) =>
    resultEvent(positionOf({ ...request, callId }), result),
  )
  const committed = await commitResult(ports.store, key, {
    keys: [],
    decide: () => ({ append: receipts, answer: undefined }),
  })
  if (committed.kind === 'refused') return { kind: 'turn-closed' }
  const receipt = committed.events[0] as EventOf<'tool/result'>
  const digest = digestOfResult(receipt, request)
  return { kind: receipt.kind, seq: committed.head.seq, ...(digest === undefined ? {} : { digest }) }
}

const UNCHANGED = 'Unchanged: the result is the same as last time. See the receipt of the same call above.'

/** Digest of what a tool said, by its receipt; undefined for receipts that no tool produced. */
function digestOfResult(result: Outcome, request: RunToolRequest): string | undefined {
  if (result.kind !== 'ok' && result.kind !== 'failed') return undefined
  return result.content === UNCHANGED
    ? request.unchangedIf
    : fingerprintOf(`${result.kind} ${result.content}`)
}
