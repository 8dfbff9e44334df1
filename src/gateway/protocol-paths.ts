/**
 * What the OpenAPI document says of the protocols of others, whose bodies are described elsewhere.
 */
import type { RouteConfig } from '@hono/zod-openapi'
import { z } from '@hono/zod-openapi'
import type { Scope } from './auth/principal.ts'
import { Id, ProblemSchema } from './schemas/common.ts'

const AI_SDK = 'https://ai-sdk.dev/docs/ai-sdk-ui/stream-protocol'
const AG_UI = 'https://docs.ag-ui.com'
const OPENAI = 'https://platform.openai.com/docs/api-reference'
const STREAMS = 'https://durablestreams.com'

type Path = readonly [
  method: 'get' | 'post' | 'head',
  path: string,
  scope: Scope,
  summary: string,
  about: string,
]

const PATHS: readonly Path[] = [
  [
    'post',
    '/v1/ai-sdk/chat',
    'send',
    'AI SDK UI: send messages or decisions, and stream what follows',
    AI_SDK,
  ],
  [
    'get',
    '/v1/ai-sdk/chat/{session}/stream',
    'read',
    'AI SDK UI: go on with a stream; 204 when nothing runs',
    AI_SDK,
  ],
  ['post', '/v1/ai-sdk/chat/{session}/stop', 'abort', 'AI SDK UI: stop the turn', AI_SDK],
  ['post', '/v1/ag-ui', 'send', 'AG-UI: run the agent, and stream its events', AG_UI],
  ['post', '/v1/ag-ui/{session}/stop', 'abort', 'AG-UI: stop the turn', AG_UI],
  ['post', '/v1/chat/completions', 'send', 'OpenAI: an agent as if it were a model', OPENAI],
  ['get', '/v1/models', 'read', 'OpenAI: agents as models', OPENAI],
  ['post', '/v1/responses', 'send', 'OpenAI: a response', OPENAI],
  ['get', '/v1/responses/{id}', 'read', 'OpenAI: a response that was made before', OPENAI],
  ['post', '/v1/responses/{id}/cancel', 'abort', 'OpenAI: cancel a response in the background', OPENAI],
  ['get', '/v1/streams/{session}', 'read', 'Durable Streams: the log, read side', STREAMS],
  ['head', '/v1/streams/{session}', 'read', 'Durable Streams: where the log ends', STREAMS],
]

/** The paths, each as part of a document. */
export function protocolPaths(): readonly RouteConfig[] {
  return PATHS.map(([method, path, scope, summary, url]) => ({
    method,
    path,
    summary,
    security: [{ bearer: [scope] }],
    externalDocs: { url },
    request: {
      ...(/\{(\w+)\}/.test(path) ? { params: z.object({ [/\{(\w+)\}/.exec(path)?.[1] ?? '']: Id }) } : {}),
      ...(method === 'post' && !path.includes('/{')
        ? { body: { content: { 'application/json': { schema: z.looseObject({}) } } } }
        : {}),
    },
    responses: {
      '2XX': { description: 'As the protocol has it' },
      '4XX': {
        description: 'A problem; to clients of OpenAI an error as theirs',
        content: {
          'application/problem+json': { schema: ProblemSchema },
          'application/json': { schema: z.looseObject({}) },
        },
      },
      '5XX': { description: 'The same' },
    },
  }))
}
