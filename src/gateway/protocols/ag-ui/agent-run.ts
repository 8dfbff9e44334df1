/**
 * One run of AG-UI, told from a Turn.
 *
 * 1. A Turn that waits for a human or the client finishes the run: with an interrupt for each decision that is asked
 *    for, else with the calls that the client is to run. The next run on the thread goes on in the same Turn.
 * 2. What an attempt said before it started over is taken out of the thread by a snapshot of its messages.
 * 3. Every message, call and Step that was opened is closed before the run is.
 */
import type { StreamItem } from '../../../client/follow-events.ts'
import { defined } from '../../../core/defined.ts'
import type { TurnEnd } from '../../../core/event.ts'
import { handBackText } from '../../../core/hand-back.ts'
import { approvalIdOf } from '../approval-id.ts'
import type { TurnPart } from '../turn-part.ts'
import { type TurnChoice, TurnStory } from '../turn-story.ts'
import type { AgUiEvent, Interrupt, RunMessage, RunOutcome } from './ag-ui-event.ts'
import {
  beginningOf,
  endOf,
  interruptOf,
  interruptOfText,
  stateChange,
  stepName,
  tokensOf,
} from './event-makers.ts'
import { RunMessages } from './run-messages.ts'

export interface RunRequest {
  readonly threadId: string
  readonly runId: string
  /** The client's own state, kept beside ours. */
  readonly state?: unknown
  readonly messages: readonly RunMessage[]
  readonly choice: TurnChoice
  /** The runs before told of events up to this `seq`. Default 0. */
  readonly after?: number
  /** Calls that this run's request decided on or answered: they are not asked for again. */
  readonly given?: ReadonlySet<string>
}

export class AgentRun {
  readonly #request: RunRequest
  readonly #story: TurnStory
  readonly #messages: RunMessages
  /** What a human is asked for, by call. */
  readonly #asked = new Map<string, Interrupt>()
  #step: number | undefined
  /** Whether this run has opened that Step. */
  #isStepTold = false
  /** Of the Step's message, which has the calls. */
  #messageId = ''
  #isPaused = false
  #seq = 0

  constructor(request: RunRequest) {
    this.#request = request
    this.#story = new TurnStory(request.choice)
    this.#messages = new RunMessages(request.messages)
  }

  /** Whether no more events follow. */
  get isOver(): boolean {
    return this.#isPaused || this.#story.isOver
  }

  /** What every run begins with. */
  start(): readonly AgUiEvent[] {
    const { threadId, runId } = this.#request
    return [{ type: 'RUN_STARTED', threadId, runId }]
  }

  /** The events of one more item. */
  read(item: StreamItem): readonly AgUiEvent[] {
    if (this.isOver) return []
    if (item.kind === 'event') this.#seq = item.event.seq
    const { after = 0 } = this.#request
    const openStep = this.#step
    const events = this.#tell(this.#story.read(item))
    if (item.kind === 'event' ? this.#seq <= after : this.#seq < after) return this.#skip(events)
    if (openStep === undefined || this.#isStepTold || events.length === 0) return events
    this.#isStepTold = true
    return [{ type: 'STEP_STARTED', stepName: stepName(openStep) }, ...events]
  }

  /** The events of these parts. What was taken back is out of the thread before anything else is said. */
  #tell(parts: readonly TurnPart[]): readonly AgUiEvent[] {
    return parts.flatMap((part, index) => {
      const events = this.#eventsOf(part)
      for (const event of events) this.#messages.read(event)
      if (part.kind !== 'void') return events
      this.#messages.drop(part.id)
      return parts[index + 1]?.kind === 'void'
        ? events
        : [...events, { type: 'MESSAGES_SNAPSHOT', messages: this.#messages.list }]
    })
  }

  /** Runs before this one told of these: what is left of them is the state, and an end that nothing can be added to. */
  #skip(events: readonly AgUiEvent[]): readonly AgUiEvent[] {
    this.#isPaused = false
    this.#isStepTold = false
    const { isOver } = this.#story
    return events.filter(({ type }) => type.startsWith('STATE_') || (isOver && type.startsWith('RUN_')))
  }

  #eventsOf(part: TurnPart): readonly AgUiEvent[] {
    switch (part.kind) {
      case 'turn-start': {
        const { turnId, turn, agent } = part
        return [this.#state({ turnId, turn, agent, phase: 'running' })]
      }
      case 'input':
        return this.#input(part)
      case 'step-start':
        this.#step = part.step
        this.#isStepTold = true
        return [{ type: 'STEP_STARTED', stepName: stepName(part.step) }, stateChange('step', part.step)]
      case 'begin':
        return beginningOf(part)
      case 'delta': {
        const type = part.channel === 'text' ? 'TEXT_MESSAGE_CONTENT' : 'REASONING_MESSAGE_CONTENT'
        return [{ type, messageId: part.id, delta: part.delta }]
      }
      case 'end':
        if (part.channel === 'text') this.#messageId = part.id
        return endOf(part)
      case 'void':
        return [
          { type: 'CUSTOM', name: 'turnstep.void', value: { channel: part.channel, messageId: part.id } },
        ]
      case 'message':
        if (part.event.text === '') this.#messageId = `m${part.event.turn}_${part.event.step}`
        return []
      case 'call': {
        const { callId: toolCallId, tool: toolCallName } = part
        return [
          { type: 'TOOL_CALL_START', toolCallId, toolCallName, parentMessageId: this.#messageId },
          { type: 'TOOL_CALL_ARGS', toolCallId, delta: part.arguments },
          { type: 'TOOL_CALL_END', toolCallId },
        ]
      }
      case 'call-started': {
        const { callId, expiresAt } = part
        return part.by === 'agent'
          ? []
          : [{ type: 'CUSTOM', name: 'turnstep.client-call', value: { callId, expiresAt } }]
      }
      case 'approval-requested': {
        const { callId, tool, arguments: args, argumentsDigest, risk, expiresAt } = part.event
        this.#asked.set(callId, interruptOf(part.event))
        const value = {
          approvalId: approvalIdOf(part.event),
          callId,
          tool,
          arguments: args,
          argumentsDigest,
          risk,
          expiresAt,
        }
        return [{ type: 'CUSTOM', name: 'turnstep.approval', value }]
      }
      case 'approval-decided': {
        const { callId, decision, by, cause, note, arguments: args } = part.event
        this.#asked.delete(callId)
        return [
          {
            type: 'CUSTOM',
            name: 'turnstep.decision',
            value: defined({ callId, decision, by, cause, note, arguments: args }),
          },
        ]
      }
      case 'held': {
        const { callId, guardrail, reason, digest, expiresAt } = part.event
        this.#asked.set(callId, interruptOfText(part.event))
        return [
          { type: 'CUSTOM', name: 'turnstep.held', value: { callId, guardrail, reason, digest, expiresAt } },
        ]
      }
      case 'receipt': {
        const { callId, kind, isError, content, spill, notice } = part.event
        const metadata = { turnstep: { kind, isError, ...defined({ spill, notice }) } }
        return [
          {
            type: 'TOOL_CALL_RESULT',
            messageId: `${callId}-result`,
            toolCallId: callId,
            role: 'tool',
            content,
            metadata,
          },
        ]
      }
      case 'waiting':
        return this.#wait(part.callIds)
      case 'going-on':
        return [stateChange('phase', 'running')]
      case 'step-end':
        this.#step = undefined
        return [{ type: 'STEP_FINISHED', stepName: stepName(part.step) }]
      case 'turn-end':
        return this.#end(part.event)
    }
  }

  #state(about: Readonly<Record<string, unknown>>): AgUiEvent {
    const { state } = this.#request
    const theirs = typeof state === 'object' && state !== null && !Array.isArray(state) ? state : {}
    return { type: 'STATE_SNAPSHOT', snapshot: { ...theirs, turnstep: about } }
  }

  #input({ inputId, fate, via, reason }: Extract<TurnPart, { kind: 'input' }>): readonly AgUiEvent[] {
    if (fate === 'claimed' && via === 'followup') return []
    const told: AgUiEvent = {
      type: 'CUSTOM',
      name: 'turnstep.input',
      value: defined({ inputId, fate, via, reason }),
    }
    if (this.#story.turnId !== undefined) return [told]
    return fate === 'refused'
      ? [
          told,
          {
            type: 'RUN_ERROR',
            message: `The message was not taken: ${reason ?? 'refused'}.`,
            code: reason ?? 'refused',
          },
        ]
      : [told, this.#finished({ type: 'cancelled' })]
  }

  #wait(callIds: readonly string[]): readonly AgUiEvent[] {
    const phase = stateChange('phase', 'waiting_human')
    const { given } = this.#request
    const open = callIds.filter((callId) => given?.has(callId) !== true)
    if (open.length === 0) return [phase]
    const interrupts = open.flatMap((callId) => {
      const asked = this.#asked.get(callId)
      return asked === undefined ? [] : [asked]
    })
    this.#isPaused = true
    const outcome: RunOutcome =
      interrupts.length > 0
        ? { type: 'interrupt', interrupts }
        : { type: 'success', pendingToolCallIds: open }
    return [phase, ...this.#closeStep(), this.#finished(outcome)]
  }

  #closeStep(): readonly AgUiEvent[] {
    return this.#step === undefined ? [] : [{ type: 'STEP_FINISHED', stepName: stepName(this.#step) }]
  }

  #end(event: TurnEnd): readonly AgUiEvent[] {
    const { turnId, reason, code, scope, handBack, cost } = event
    const result = { turnId, reason, ...defined({ code, scope, handBack }), cost }
    const usage = [tokensOf(event.usage)]
    const told: readonly AgUiEvent[] = [
      { type: 'CUSTOM', name: 'turnstep.end', value: result },
      stateChange('phase', reason === 'error' ? 'failed' : 'finished'),
    ]
    if (reason === 'completed') return [...told, this.#finished({ type: 'success' }, { result, usage })]
    // Who stopped a Turn knows why it ended.
    if (reason === 'aborted') return [...told, this.#finished({ type: 'cancelled' }, { usage })]
    const messageId = `handback-${turnId}`
    const text: readonly AgUiEvent[] =
      handBack === undefined
        ? []
        : [
            { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
            { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: handBackText(handBack) },
            { type: 'TEXT_MESSAGE_END', messageId },
          ]
    if (reason !== 'error') return [...text, ...told, this.#finished({ type: 'success' }, { result, usage })]
    const message = handBack?.blockedBy ?? 'The turn ended with an error.'
    return [...text, ...told, { type: 'RUN_ERROR', message, code: code ?? 'internal', usage }]
  }

  #finished(
    outcome: RunOutcome,
    more: Pick<Extract<AgUiEvent, { type: 'RUN_FINISHED' }>, 'result' | 'usage'> = {},
  ): AgUiEvent {
    const { threadId, runId } = this.#request
    return { type: 'RUN_FINISHED', threadId, runId, outcome, ...more }
  }
}
