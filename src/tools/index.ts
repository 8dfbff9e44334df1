export {
  calculator,
  currentTime,
  currentTimeTool,
  folderTools,
  type HttpFetchOptions,
  type HttpMethod,
  httpFetch,
  spillTools,
  type WriteFileOptions,
  writeFile,
} from './builtin/index.ts'
export { defineTool, type ResultOptions, type Tool, type ToolDefinition } from './define-tool.ts'
export type {
  ArgumentsOf,
  JsonSchema,
  SchemaPair,
  StandardSchema,
  StandardSchemaWithJson,
  ToolInput,
} from './input-schema.ts'
export { ProcessError } from './process/process-error.ts'
export {
  type ProcessExit,
  type ProcessOptions,
  type ProcessResult,
  runProcess,
} from './process/run-process.ts'
export { checkWebhooks, sendWebhook, type WebhookOptions } from './send-webhook.ts'
export { createToolHost } from './tool-host.ts'
