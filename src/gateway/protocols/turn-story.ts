/**
 * The story of one Turn, told from the items that a follower of its Session gets.
 *
 * 1. Reading is deterministic and does no I/O: the same items give the same parts.
 * 2. What is told as said and not taken back is, once a message is committed, exactly what the log has: a reader who
 *    was there from the first delta, one who joined in the middle and one who came later have the same text.
 * 3. `begin` and `end` pair; nothing is open across a Step's end.
 * 4. Items of other Turns tell nothing, but the fates of inputs.
 */
import type { StreamItem } from '../../client/follow-events.ts'
import type { AssistantMessageEvent, Event, EventOf } from '../../core/event.ts'
import type { LiveDelta } from '../../core/ports.ts'
import { INITIAL_STATE, stateAfter, type TurnState } from '../../core/turn-state.ts'
import { SpokenText } from './spoken-text.ts'
import type { TurnPart } from './turn-part.ts'

/** Which Turn: the one with this id, the one that this input opens, or the first that comes. */
export type TurnChoice = { readonly turnId: string } | { readonly inputId: string } | 'first'

function isChosen(choice: TurnChoice, { turnId, inputs }: EventOf<'turn/start'>): boolean {
  if (choice === 'first') return true
  return 'turnId' in choice ? turnId === choice.turnId : inputs.includes(choice.inputId)
}

export class TurnStory {
  readonly #choice: TurnChoice
  #turn: { readonly turnId: string; readonly ordinal: number } | undefined
  #state: TurnState = INITIAL_STATE
  #step: { readonly number: number; readonly text: SpokenText; readonly reasoning: SpokenText } | undefined
  #isWaiting = false
  #isOver = false

  constructor(choice: TurnChoice) {
    this.#choice = choice
  }

  /** Whether no more will be told: the Turn has ended, or its input will open none. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Undefined until it has begun. */
  get turnId(): string | undefined {
    return this.#turn?.turnId
  }

  /** What one more item tells. */
  read(item: StreamItem): readonly TurnPart[] {
    if (this.#isOver) return []
    switch (item.kind) {
      case 'delta':
        return this.#isOfStep(item.delta) ? this.#say(item.delta) : []
      case 'reset':
        return this.#isOfStep(item) ? this.#unsay() : []
      case 'event':
        return this.#readEvent(item.event)
    }
  }

  #readEvent(event: Event): readonly TurnPart[] {
    if (event.type === 'input/withdrawn' || event.type === 'input/refused') return this.#fate(event)
    if (this.#turn === undefined) return this.#begin(event)
    if (event.turnId !== this.#turn.turnId) return []
    const wasWaiting = this.#isWaiting
    this.#state = stateAfter(this.#state, event)
    const isHeld = event.type === 'guardrail/held'
    const { phase, calls } = this.#state
    // The phase outlasts the last call that waited, until the next Step.
    this.#isWaiting = phase === 'waiting_human' && (isHeld || calls.size > 0)
    const told = this.#tell(event)
    if (event.type === 'turn/end') return told
    if (this.#isWaiting && WAITS.has(event.type))
      return [...told, { kind: 'waiting', callIds: isHeld ? [event.callId] : [...calls.keys()] }]
    return wasWaiting && !this.#isWaiting ? [...told, { kind: 'going-on' }] : told
  }

  #begin(event: Event): readonly TurnPart[] {
    if (event.type !== 'turn/start') return []
    const { turnId, turn, agent, inputs } = event
    if (!isChosen(this.#choice, event)) return []
    this.#turn = { turnId, ordinal: turn }
    this.#state = stateAfter(this.#state, event)
    return [{ kind: 'turn-start', turnId, turn, agent, inputs }]
  }

  #fate(event: EventOf<'input/withdrawn'> | EventOf<'input/refused'>): readonly TurnPart[] {
    const { inputId } = event
    const choice = this.#choice
    const isAwaited =
      this.#turn === undefined && choice !== 'first' && 'inputId' in choice && choice.inputId === inputId
    if (this.#turn === undefined && !isAwaited) return []
    this.#isOver = isAwaited
    return event.type === 'input/withdrawn'
      ? [{ kind: 'input', inputId, fate: 'withdrawn', content: event.content }]
      : [{ kind: 'input', inputId, fate: 'refused', reason: event.reason }]
  }

  #tell(event: Event): readonly TurnPart[] {
    switch (event.type) {
      case 'user/message': {
        const { inputId, via, content } = event
        return [{ kind: 'input', inputId, fate: 'claimed', via, content }]
      }
      case 'step/start':
        this.#step = this.#newStep(event.step)
        return [{ kind: 'step-start', step: event.step }]
      case 'assistant/message':
        return this.#commit(event)
      case 'approval/requested':
        return [{ kind: 'approval-requested', event }]
      case 'approval/decided':
        return [{ kind: 'approval-decided', event }]
      case 'tool/call': {
        const { callId, expiresAt } = event
        return expiresAt === undefined
          ? [{ kind: 'call-started', callId, by: 'agent' }]
          : [{ kind: 'call-started', callId, by: 'client', expiresAt }]
      }
      case 'guardrail/held':
        return [{ kind: 'held', event }]
      case 'tool/result':
        return [{ kind: 'receipt', event }]
      case 'step/end': {
        const left = this.#unsay()
        this.#step = undefined
        return [...left, { kind: 'step-end', step: event.step }]
      }
      case 'turn/end': {
        const left = this.#unsay()
        this.#isOver = true
        return [...left, { kind: 'turn-end', event }]
      }
      default:
        return []
    }
  }

  #newStep(step: number) {
    const place = `${this.#turn?.ordinal ?? 0}_${step}`
    return {
      number: step,
      text: new SpokenText('text', `m${place}`),
      reasoning: new SpokenText('reasoning', `r${place}`),
    }
  }

  #say({ text, reasoning }: LiveDelta): readonly TurnPart[] {
    if (this.#step === undefined) return []
    // Thinking is over when the answer begins; what is thought later is told with the message.
    if (text !== undefined && text !== '')
      return [...this.#step.reasoning.close(), ...this.#step.text.say(text)]
    if (reasoning !== undefined && reasoning !== '') return this.#step.reasoning.say(reasoning)
    return []
  }

  /** Takes back what was said and not committed. */
  #unsay(): readonly TurnPart[] {
    if (this.#step === undefined) return []
    return [...this.#step.reasoning.unsay(), ...this.#step.text.unsay()]
  }

  #commit(event: AssistantMessageEvent): readonly TurnPart[] {
    const step = this.#step ?? this.#newStep(event.step)
    const thought =
      event.interrupted === true ? step.reasoning.keep() : step.reasoning.settle(event.reasoning?.text ?? '')
    return [
      ...thought,
      ...step.text.settle(event.text),
      { kind: 'message', event },
      ...event.calls.map(
        ({ callId, tool, arguments: args }): TurnPart => ({ kind: 'call', callId, tool, arguments: args }),
      ),
    ]
  }

  #isOfStep(place: { readonly turnId: string; readonly step: number }): boolean {
    return place.turnId === this.#turn?.turnId && place.step === this.#step?.number
  }
}

/** After which a Turn may have come to wait. */
const WAITS: ReadonlySet<string> = new Set([
  'approval/requested',
  'tool/call',
  'tool/result',
  'guardrail/held',
])
