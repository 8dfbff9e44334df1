/** What an application imports. */
export {
  type AbortOptions,
  type AbortResult,
  type AnswerOptions,
  type DecisionOptions,
  type FateOfInput,
  type FollowOptions,
  type FollowupOptions,
  type HeldText,
  type InputOptions,
  type InputResult,
  type PendingApproval,
  type PendingCallApproval,
  type PendingClientCall,
  Session,
  type SessionSpending,
  type SessionStatus,
  type SessionSummary,
  type SteerOptions,
  type StreamItem,
  Turnstep,
  type TurnstepOptions,
  type WaitOptions,
} from './client/index.ts'
export { type Config, defineConfig } from './config.ts'
export { ConnectedTurnstep, type ConnectOptions, connect } from './connect.ts'
export type { Agent, AgentLimits, AgentSnapshot } from './core/agent.ts'
export type { AgentPolicy } from './core/authorize-call.ts'
export type { Price } from './core/cost.ts'
export { deriveMessages } from './core/derive-messages.ts'
export { type ErrorCode, isTurnstepError, TurnstepError } from './core/errors.ts'
export type { EndReason, Event, EventOf, EventType, HandBack, Notify } from './core/event.ts'
export type { SpillMatch, SpillMatches } from './core/grep-spill.ts'
export type {
  GuardrailContext,
  Guardrails,
  InputGuardrail,
  InputVerdict,
  OutputGuardrail,
  OutputVerdict,
} from './core/guardrail.ts'
export type { Content, ContentPart, Message } from './core/message.ts'
export type {
  Model,
  ModelDelta,
  ModelRequest,
  ModelResponse,
  ResultPolicy,
  SessionStore,
  ToolHost,
  ToolRunContext,
} from './core/ports.ts'
export type { SpillPage } from './core/read-spill.ts'
export type { ReceiptKind, ToolEffect } from './core/receipt.ts'
export type { Detector, DetectorName, Span } from './core/redaction/detector.ts'
export type { RedactionPolicy } from './core/redaction/redaction-policy.ts'
export { repairTranscript } from './core/repair-transcript.ts'
export type { SpillNote, SpillReader } from './core/spill.ts'
export { costOfTurn, type StepCost, type TurnCost } from './core/turn-cost.ts'
export type { StepReport, TurnReport } from './core/turn-report.ts'
export type { Usage } from './core/usage.ts'
export { assertLog, type Rule, type VerifyOptions, type Violation, verifyLog } from './core/verify-log.ts'
export type {
  InputSignal,
  InterruptSignal,
  StopSignal,
  TurnOpening,
  TurnOutcome,
  TurnResult,
} from './core/wire.ts'
export { type AgentOptions, defineAgent } from './define-agent.ts'
export { openaiChat } from './openai-chat.ts'
export { openSqliteStore, type SqliteStoreOptions } from './store/sqlite/open-sqlite-store.ts'
export {
  type ArgumentsOf,
  calculator,
  currentTime,
  defineTool,
  folderTools,
  type HttpFetchOptions,
  type HttpMethod,
  httpFetch,
  type JsonSchema,
  ProcessError,
  type ProcessExit,
  type ProcessOptions,
  type ProcessResult,
  type ResultOptions,
  runProcess,
  type SchemaPair,
  type StandardSchema,
  type StandardSchemaWithJson,
  type Tool,
  type ToolDefinition,
  type ToolInput,
  type WriteFileOptions,
  writeFile,
} from './tools/index.ts'
export { createWorker, type WorkerOptions } from './worker.ts'
