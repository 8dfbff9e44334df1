/**
 * Hand-back: what a Turn that could not finish leaves for the human. A pure function over its log.
 */
import type { ErrorCode } from './errors.ts'
import type { EndReason, EventBody, GuardrailJudged, HandBack } from './event.ts'

/** Every way to end but the one that needs no hand-back. */
export type UnfinishedReason = Exclude<EndReason, 'completed'>

interface Explanation {
  readonly blockedBy: string
  readonly next: string
}

const GO_ON = 'Send a message to go on from here.'

const BY_REASON: Readonly<Record<Exclude<UnfinishedReason, 'error'>, Explanation>> = {
  aborted: { blockedBy: 'The turn was stopped on request.', next: GO_ON },
  blocked: {
    blockedBy: 'A guardrail or policy does not allow this.',
    next: 'Ask for something else, or change the policy.',
  },
  'max-tokens': {
    blockedBy: "The model's output was cut off three times in a row.",
    next: 'Ask for a shorter answer or smaller pieces, or raise the output limit of the model.',
  },
  'max-steps': {
    blockedBy: 'The step limit of this turn is used up.',
    next: 'Send a message to go on with a new limit, or raise maxSteps of the agent.',
  },
  'max-duration': {
    blockedBy: 'The time limit of this turn is used up.',
    next: 'Send a message to go on with a new limit, or raise maxDurationMs of the agent.',
  },
  'token-budget': {
    blockedBy: 'The token budget of this turn is used up.',
    next: 'Send a message to go on with a new budget, or raise maxTokens of the agent.',
  },
  'cost-budget': {
    blockedBy: 'The cost budget of this turn is used up.',
    next: 'Send a message to go on with a new budget, or raise maxCostMicroUsd of the agent.',
  },
  stalled: {
    blockedBy: 'The model kept asking for the same tool calls, which gave nothing new.',
    next: 'Say what to do differently, or give the information that is missing.',
  },
  'provider-refused': {
    blockedBy: 'The model provider refused to answer.',
    next: 'Put the request differently, or use another model.',
  },
}

/** A budget of the Session, which a further message does not renew. */
const OF_SESSION: Readonly<Partial<Record<EndReason, Explanation>>> = {
  'token-budget': {
    blockedBy: 'The token budget of this session is used up.',
    next: 'Start a new session with what matters, or raise maxSessionTokens of the agent.',
  },
  'cost-budget': {
    blockedBy: 'The cost budget of this session is used up.',
    next: 'Start a new session with what matters, or raise maxSessionCostMicroUsd of the agent.',
  },
}

const BY_CODE: Readonly<Partial<Record<ErrorCode, Explanation>>> = {
  'rate-limited': {
    blockedBy: 'The model provider limits how often it may be asked, and the wait was too long.',
    next: 'Wait a while, then send a message to go on.',
  },
  'provider-unavailable': {
    blockedBy: 'The model provider could not be reached.',
    next: 'Send a message to try again when the provider is back.',
  },
  'provider-rejected': {
    blockedBy: 'The model provider rejected the request as invalid.',
    next: "Check the model's name and settings, then send a message to go on.",
  },
  'provider-auth': {
    blockedBy: 'The model provider did not accept the API key or the account.',
    next: 'Correct the key or the account, then send a message to go on.',
  },
  'provider-protocol': {
    blockedBy: 'The model provider answered with something that could not be read.',
    next: 'Send a message to try again, or check the base URL of the provider.',
  },
  'context-too-long': {
    blockedBy: "The conversation is longer than the model's context window.",
    next: 'Start a new session with what matters, or use a model with a larger window.',
  },
  'empty-completion': {
    blockedBy: 'The model answered with nothing, twice.',
    next: 'Send a message to try again.',
  },
  'worker-lost': {
    blockedBy: 'Worker processes died again and again at the same piece of work.',
    next: 'Look into the logs of the workers, then send a message to go on.',
  },
  terminated: { blockedBy: 'The turn was terminated from outside before it could end.', next: GO_ON },
  'log-behind': {
    blockedBy:
      'The log lacks events that this turn had written; the store was probably restored from a backup.',
    next: 'Check what was lost, then send a message to go on.',
  },
  'unknown-agent': {
    blockedBy: 'No worker knows the agent of this session.',
    next: 'Start a worker whose configuration has this agent, then send a message to go on.',
  },
}

const MAX_TOOLS = 5
const MAX_SAID_CODE_POINTS = 200

/**
 * The hand-back of a Turn, from its events up to (not including) `turn/end`. Deterministic and short: at most
 * 13 lines of what was done, whatever it was.
 */
export function handBackOf(
  events: readonly EventBody[],
  reason: UnfinishedReason,
  more: { readonly code?: string | undefined; readonly scope?: 'session' | undefined } = {},
): HandBack {
  const blocked = reason === 'blocked' ? explainBlock(events) : undefined
  const ofSession = more.scope === 'session' ? OF_SESSION[reason] : undefined
  return { done: doneLines(events), ...(ofSession ?? blocked ?? explain(reason, more.code)) }
}

/** The text of a hand-back, as the conversation shows it. */
export function handBackText(handBack: HandBack): string {
  const done =
    handBack.done.length === 0
      ? ['Done: nothing yet.']
      : ['Done:', ...handBack.done.map((line) => `- ${line}`)]
  return [
    '[This turn ended before it was finished.]',
    ...done,
    `Why: ${handBack.blockedBy}`,
    `Next: ${handBack.next}`,
  ].join('\n')
}

/** Which guardrail does not allow what it judged; undefined when none said so. */
function explainBlock(events: readonly EventBody[]): Explanation | undefined {
  const judged = events.findLast(
    (event): event is GuardrailJudged => event.type === 'guardrail/judged' && event.verdict === 'block',
  )
  if (judged === undefined) return undefined
  const { guardrail = '', reason = '', stage } = judged
  const what = stage === 'input' ? 'your message' : "the model's answer"
  return {
    blockedBy: `${judged.by === undefined || judged.by === 'policy' ? `The guardrail ${guardrail}` : 'A human'} does not allow ${what}: ${reason}`,
    next: 'Ask for something else, or change the guardrail.',
  }
}

/** What a Turn has done so far, one line each, for a plan made anew. */
export function progressOf(events: readonly EventBody[]): string {
  const done = doneLines(events)
  return done.length === 0 ? 'Nothing yet.' : done.map((line) => `- ${line}`).join('\n')
}

function explain(reason: UnfinishedReason, code: string | undefined): Explanation {
  if (reason !== 'error') return BY_REASON[reason]
  const known: Readonly<Record<string, Explanation>> = BY_CODE
  const explanation = code !== undefined && Object.hasOwn(known, code) ? known[code] : undefined
  return explanation ?? { blockedBy: `An error stopped the turn (${code ?? 'internal'}).`, next: GO_ON }
}

function doneLines(events: readonly EventBody[]): string[] {
  const toolOf = new Map<string, string>()
  const ran = new Map<string, number>()
  const uncertain = new Map<string, number>()
  let said = ''
  for (const event of events) {
    if (event.type === 'assistant/message') {
      for (const call of event.calls) toolOf.set(call.callId, call.tool)
      if (event.text.trim() !== '') said = event.text
    } else if (event.type === 'tool/result') {
      const counts = event.kind === 'ok' ? ran : event.kind === 'outcome-unknown' ? uncertain : undefined
      const tool = toolOf.get(event.callId)
      if (counts !== undefined && tool !== undefined) counts.set(tool, (counts.get(tool) ?? 0) + 1)
    }
  }
  return [
    ...toolLines(ran, (tool, times) => `Ran ${tool}${times}.`),
    ...toolLines(uncertain, (tool, times) => `Started ${tool}${times}, outcome unknown: verify it.`),
    ...(said === '' ? [] : [`Said: ${excerpt(said)}`]),
  ]
}

function toolLines(
  counts: ReadonlyMap<string, number>,
  line: (tool: string, times: string) => string,
): string[] {
  const shown = [...counts]
    .slice(0, MAX_TOOLS)
    .map(([tool, count]) => line(tool, count === 1 ? '' : ` ${count} times`))
  const others = counts.size - shown.length
  return others > 0 ? [...shown, `And ${others} other tools.`] : shown
}

/** One line, cut between code points. */
function excerpt(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ')
  const codePoints = Array.from(line.slice(0, 2 * MAX_SAID_CODE_POINTS + 2))
  return codePoints.length <= MAX_SAID_CODE_POINTS
    ? line
    : `${codePoints.slice(0, MAX_SAID_CODE_POINTS).join('')}…`
}
