/**
 * What a front end shows of one Turn, in the order in which it shows it: the words that every protocol is mapped from.
 */
import type {
  ApprovalDecided,
  ApprovalRequested,
  AssistantMessageEvent,
  GuardrailHeld,
  InputFate,
  RefusalReason,
  ToolResultEvent,
  TurnEnd,
  TurnStart,
} from '../../core/event.ts'
import type { Content } from '../../core/message.ts'

/** The two things that a model says to a reader. */
export type Channel = 'text' | 'reasoning'

/**
 * A part of a Turn. What is said comes as `begin`, `delta`s and `end` under one id; a `void` after its `end` takes it
 * back: it is not part of the message, and what stands in its place follows under another id.
 */
export type TurnPart =
  | ({ readonly kind: 'turn-start' } & Pick<TurnStart, 'turnId' | 'turn' | 'agent' | 'inputs'>)
  | {
      readonly kind: 'input'
      readonly inputId: string
      readonly fate: InputFate
      /** Set when it was claimed. */
      readonly via?: 'followup' | 'steer'
      /** Set when it was refused. */
      readonly reason?: RefusalReason
      readonly content?: Content
    }
  | { readonly kind: 'step-start'; readonly step: number }
  | { readonly kind: 'begin' | 'end' | 'void'; readonly channel: Channel; readonly id: string }
  | { readonly kind: 'delta'; readonly channel: Channel; readonly id: string; readonly delta: string }
  /** The message is committed; what it says has been told, its calls follow. */
  | { readonly kind: 'message'; readonly event: AssistantMessageEvent }
  /** `arguments` is JSON text. */
  | { readonly kind: 'call'; readonly callId: string; readonly tool: string; readonly arguments: string }
  /** The call runs, or is the client's to run until `expiresAt`. */
  | {
      readonly kind: 'call-started'
      readonly callId: string
      readonly by: 'agent' | 'client'
      readonly expiresAt?: string
    }
  | { readonly kind: 'approval-requested'; readonly event: ApprovalRequested }
  | { readonly kind: 'approval-decided'; readonly event: ApprovalDecided }
  /** What the model says waits for a human, and is not told before. */
  | { readonly kind: 'held'; readonly event: GuardrailHeld }
  | { readonly kind: 'receipt'; readonly event: ToolResultEvent }
  /** From now on every open call awaits a human or the client, or a held text does: these. */
  | { readonly kind: 'waiting'; readonly callIds: readonly string[] }
  /** Something goes on again. */
  | { readonly kind: 'going-on' }
  | { readonly kind: 'step-end'; readonly step: number }
  | { readonly kind: 'turn-end'; readonly event: TurnEnd }
