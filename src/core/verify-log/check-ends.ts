import { tokensOf } from '../cost.ts'
import { assertNever } from '../errors.ts'
import type { EventOf } from '../event.ts'
import type { ReceiptKind } from '../receipt.ts'
import type { Usage } from '../usage.ts'
import { addUsage, NO_USAGE } from '../usage.ts'
import type { CheckFactory, Report } from './check.ts'

interface StepRecord {
  claims: number
  message?: EventOf<'assistant/message'>
  readonly receipts: ReceiptKind[]
}

/** The open Turn, as far as its end is concerned. */
interface TurnRecord {
  readonly turnId: string
  readonly agentDigest: string
  readonly steps: StepRecord[]
  usage: Usage
}

/** A `turn/end` says truly why the Turn ended, what it cost, and what it leaves for the human. */
export const checkEnds: CheckFactory = (report) => {
  let turn: TurnRecord | undefined
  /** Agents, as they were, whose budget for the Session is spent. */
  const spent = new Set<string>()
  return {
    visit(event) {
      if (event.type === 'turn/start') {
        const { turnId, agentDigest } = event
        turn = { turnId, agentDigest, steps: [], usage: NO_USAGE }
      }
      if (turn === undefined || event.turnId !== turn.turnId) return
      const step = turn.steps.at(-1)
      switch (event.type) {
        case 'step/start':
          turn.steps.push({ claims: 0, receipts: [] })
          if (spent.has(turn.agentDigest))
            report('session-budget', `step ${event.step}, although the budget of the session is spent`, event)
          break
        case 'user/message':
          if (step !== undefined) step.claims += 1
          break
        case 'step/end':
          if (step?.claims === 0 && isFinal(turn.steps.at(-2)?.message)) {
            report('step-after-final', `step ${event.step} follows a final message and claims nothing`, event)
          }
          break
        case 'assistant/message':
          turn.usage = addUsage(turn.usage, event.usage)
          if (step !== undefined) step.message = event
          break
        case 'attempt/lost':
          turn.usage = addUsage(turn.usage, event.usage)
          break
        case 'tool/result':
          step?.receipts.push(event.kind)
          break
        case 'turn/end':
          checkFields(turn, event, report)
          checkReason(turn, event, report)
          if (event.scope === 'session') spent.add(turn.agentDigest)
          turn = undefined
          break
        default:
          break
      }
    },
  }
}

function checkFields(turn: TurnRecord, event: EventOf<'turn/end'>, report: Report): void {
  const { reason, code, scope, handBack, usage, cost } = event
  if ((reason === 'error') !== (code !== undefined)) {
    report(
      'end-code',
      code === undefined ? 'an error without a code' : `${reason} with the code ${code}`,
      event,
    )
  }
  if ((reason === 'completed') !== (handBack === undefined)) {
    report(
      'end-hand-back',
      handBack === undefined ? `${reason} without a hand-back` : `${reason} with a hand-back`,
      event,
    )
  }
  if (!isSameUsage(usage, turn.usage)) {
    const { inputTokens, outputTokens } = turn.usage
    report(
      'end-usage',
      `messages and lost attempts add up to ${inputTokens} and ${outputTokens} tokens`,
      event,
    )
  }
  if (cost !== null && !(Number.isSafeInteger(cost) && cost >= 0))
    report('end-cost', `the cost ${cost} is no whole number of micro-USD`, event)
  if (scope !== undefined && !isBudgetEnd(reason))
    report('end-scope', `${reason} with the scope ${scope}, which only a budget has`, event)
}

function isBudgetEnd(reason: EventOf<'turn/end'>['reason']): boolean {
  return reason === 'token-budget' || reason === 'cost-budget'
}

function isSameUsage(a: Usage, b: Usage): boolean {
  return (
    a.inputTokens === b.inputTokens &&
    a.outputTokens === b.outputTokens &&
    (a.cachedInputTokens ?? 0) === (b.cachedInputTokens ?? 0) &&
    (a.reasoningTokens ?? 0) === (b.reasoningTokens ?? 0) &&
    Boolean(a.estimated) === Boolean(b.estimated)
  )
}

function checkReason(turn: TurnRecord, event: EventOf<'turn/end'>, report: Report): void {
  const wrong = (why: string): void => report('end-reason', `${event.reason}, but ${why}`, event)
  const last = turn.steps.at(-1)
  switch (event.reason) {
    case 'completed':
      if (!isComplete(turn)) report('completed', 'the last step has no final message', event)
      break
    case 'max-steps':
      if (isFinal(last?.message)) wrong('the last step has a final message')
      break
    case 'token-budget':
    case 'cost-budget':
      if (isFinal(last?.message)) wrong('the last step has a final message')
      if (event.scope === undefined && tokensOf(event.usage) === 0) wrong('the turn has spent nothing')
      if (event.reason === 'cost-budget' && event.cost === null) wrong('there is no price')
      break
    case 'max-tokens':
      if (last?.message !== undefined && isPositive(last.message)) wrong('the last message was not cut')
      break
    case 'provider-refused':
      if (last?.message !== undefined && isPositive(last.message)) wrong('the last message was not refused')
      break
    case 'stalled':
      if (turn.steps.length < 3 || !turn.steps.slice(-3).every(isInVain))
        wrong('the last three steps got somewhere')
      break
    case 'aborted':
    case 'error':
    case 'blocked':
    case 'max-duration':
      break
    default:
      assertNever(event.reason, 'checkReason')
  }
}

/** A final text; or none, after two empty answers, if this Turn has receipts to show. */
function isComplete({ steps }: TurnRecord): boolean {
  const last = steps.at(-1)
  if (last === undefined) return false
  if (last.message === undefined) return steps.some(({ receipts }) => receipts.length > 0)
  return isFinal(last.message)
}

function isFinal(message: EventOf<'assistant/message'> | undefined): boolean {
  return message !== undefined && message.calls.length === 0 && !message.interrupted && isPositive(message)
}

function isPositive({ finish }: EventOf<'assistant/message'>): boolean {
  return finish === 'stop' || finish === 'tool_calls'
}

/** Calls that could not run count like repeated ones from the third time on. */
function isInVain({ receipts }: StepRecord): boolean {
  const vain: readonly ReceiptKind[] = ['repeated', 'invalid-arguments', 'unknown-tool']
  return receipts.length > 0 && receipts.every((kind) => vain.includes(kind))
}
