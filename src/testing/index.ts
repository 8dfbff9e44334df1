/**
 * What tests of agents and of stores need: `turnstep/testing`.
 */
export { assertLog, type Violation as LogViolation, verifyLog } from '../core/verify-log.ts'
export {
  type ChatContentPart,
  type ChatMessage,
  type ChatRequest,
  type ChatTool,
  type ChatToolCall,
  chatText,
  openingText,
} from './chat-request.ts'
export { findViolations } from './find-violations.ts'
export { type Gate, gate } from './gate.ts'
export type { JournalEntry, JournalLimits, ModelJournal } from './model-journal.ts'
export { scriptByConversation } from './script-by-conversation.ts'
export {
  callTools,
  cutAfter,
  hang,
  hangAfter,
  holdAfter,
  holdBeforeFirstToken,
  malformedAfter,
  rateLimited,
  rawEvents,
  type ScriptedAnswer,
  type ScriptedCall,
  type ScriptedHang,
  type ScriptedInterruption,
  type ScriptedRaw,
  type ScriptedReply,
  type ScriptedStatus,
  type ScriptedUsage,
  say,
  serverError,
} from './scripted-answer.ts'
export {
  type RequestViolation,
  type Respond,
  ScriptedModelServer,
  type ScriptedModelServerOptions,
} from './scripted-model-server.ts'
export { describeSessionStore, type StorePlace, type TestApi } from './session-store-suite.ts'
export { describeViolation, type Violation, type ViolationRule } from './violation.ts'
