import type { Event, EventOf } from '../event.ts'
import type { CheckFactory, Report } from './check.ts'

/** The open Turn, as far as judgements are concerned. */
interface Judged {
  readonly turnId: string
  /** Inputs that are to be judged and are not. */
  readonly pending: Set<string>
  /** Whether something that it judged is not allowed. */
  isBlocked: boolean
  step?: JudgedStep
}

interface JudgedStep {
  draft?: EventOf<'assistant/draft'>
  held?: EventOf<'guardrail/held'>
  judged?: EventOf<'guardrail/judged'>
  hasMessage: boolean
  /** Attempts that are noted as lost. */
  readonly lost: Set<number>
}

/** What is to be judged is judged before anybody sees it, once, and the judgement is kept to. */
export const checkGuardrails: CheckFactory = (report) => {
  let turn: Judged | undefined
  return {
    visit(event) {
      if (event.type === 'turn/start') turn = { turnId: event.turnId, pending: new Set(), isBlocked: false }
      if (turn === undefined || event.turnId !== turn.turnId) return
      switch (event.type) {
        case 'user/message':
          if (event.judged === 'pending') turn.pending.add(event.inputId)
          break
        case 'step/start':
          turn.step = { hasMessage: false, lost: new Set() }
          break
        case 'guardrail/held':
          if (turn.step?.draft === undefined || turn.step.hasMessage || turn.step.judged !== undefined)
            report('judgement-subject', 'there is no draft in this step that could be held', event)
          if (turn.step !== undefined) turn.step.held = event
          break
        case 'guardrail/judged':
          judge(turn, event, report)
          break
        case 'assistant/draft':
          checkJudgedBefore(turn, event, report)
          if (turn.step !== undefined) turn.step.draft = event
          break
        case 'assistant/message':
          checkJudgedBefore(turn, event, report)
          checkMessage(turn.step, event, report)
          if (turn.step !== undefined) turn.step.hasMessage = true
          break
        case 'attempt/lost':
          turn.step?.lost.add(event.attempt)
          break
        case 'step/end':
          checkDraftCounted(turn.step, event, report)
          break
        case 'turn/end':
          if (event.reason === 'blocked' && !turn.isBlocked)
            report('blocked-by', 'blocked, but no guardrail said so', event)
          if (event.reason === 'completed' && turn.isBlocked)
            report('blocked-by', 'completed, although a guardrail blocked', event)
          turn = undefined
          break
        default:
          break
      }
    },
  }
}

function judge(turn: Judged, event: EventOf<'guardrail/judged'>, report: Report): void {
  if (event.verdict === 'block') turn.isBlocked = true
  if (event.stage === 'input') {
    if (event.inputId !== undefined && turn.pending.delete(event.inputId)) return
    report('judgement-subject', `${event.inputId} is no input of this turn that awaits a judgement`, event)
    return
  }
  const { step } = turn
  if (step?.draft?.step !== event.step || step?.hasMessage)
    report('judgement-subject', 'there is no draft in this step that awaits a judgement', event)
  if ((step?.held === undefined) !== (event.by === undefined))
    report('held-judged', 'who judges a held text says who decides, and nobody else does', event)
  if (step !== undefined) step.judged = event
}

function checkJudgedBefore(turn: Judged, event: Event, report: Report): void {
  if (turn.pending.size > 0) {
    const ids = [...turn.pending].join(', ')
    report('input-judged', `the model was asked before ${ids} was judged`, event)
  }
}

/** A message that was a draft is there because of its judgement, and says what that left of it. */
function checkMessage(
  step: JudgedStep | undefined,
  event: EventOf<'assistant/message'>,
  report: Report,
): void {
  if (step?.draft === undefined) return
  const { judged } = step
  if (judged?.verdict === 'pass') return
  if (judged?.verdict !== 'rewrite') {
    report(
      'draft-judged',
      `a draft was said although its judgement is ${judged?.verdict ?? 'missing'}`,
      event,
    )
  } else if (event.text !== judged.content) {
    report('draft-judged', 'the message is not what the guardrail rewrote it to', event)
  }
}

/** A draft that nobody may see is counted all the same. */
function checkDraftCounted(step: JudgedStep | undefined, event: Event, report: Report): void {
  if (step?.draft === undefined || step.hasMessage || step.lost.has(step.draft.attempt)) return
  report('draft-counted', 'what a draft cost is neither in a message nor noted as lost', event)
}
