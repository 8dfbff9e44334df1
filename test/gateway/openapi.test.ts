import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { SCOPES } from '../../src/core/access.ts'
import type { OpenApiDocument } from './support/described.ts'
import { gatewayWorld } from './support/gateway-world.ts'

const gateway = gatewayWorld()

describe('the OpenAPI document', () => {
  let document: OpenApiDocument
  beforeAll(async () => {
    const { body } = await gateway.call('GET', '/openapi.json')
    document = body as unknown as OpenApiDocument
  })

  const operations = () =>
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        operation,
      })),
    )

  it('is of version 3.1 and names the version of the package', () => {
    expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'turnstep', version: '1.2.3' } })
  })

  it('describes every route that is there, and no other', () => {
    const registered = gateway.gateway.app.routes
      .filter(({ method, path }) => method !== 'ALL' && path !== '/openapi.json')
      .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
    expect(
      operations()
        .map(({ name }) => name)
        .sort(),
    ).toEqual([...new Set(registered)].sort())
    expect(
      operations()
        .map(({ name }) => name)
        .sort(),
    ).toEqual([
      'DELETE /v1/sessions/{session}/inputs/{input}',
      'GET /healthz',
      'GET /metrics',
      'GET /readyz',
      'GET /v1/agents',
      'GET /v1/ai-sdk/chat/{session}/stream',
      'GET /v1/models',
      'GET /v1/responses/{id}',
      'GET /v1/sessions',
      'GET /v1/sessions/{session}',
      'GET /v1/sessions/{session}/audits',
      'GET /v1/sessions/{session}/events',
      'GET /v1/sessions/{session}/inputs/{input}',
      'GET /v1/sessions/{session}/messages',
      'GET /v1/sessions/{session}/spills/{spill}',
      'GET /v1/sessions/{session}/turns/{turn}',
      'GET /v1/streams/{session}',
      'HEAD /v1/streams/{session}',
      'POST /v1/ag-ui',
      'POST /v1/ag-ui/{session}/stop',
      'POST /v1/ai-sdk/chat',
      'POST /v1/ai-sdk/chat/{session}/stop',
      'POST /v1/chat/completions',
      'POST /v1/responses',
      'POST /v1/responses/{id}/cancel',
      'POST /v1/sessions',
      'POST /v1/sessions/{session}/abort',
      'POST /v1/sessions/{session}/approvals/{call}',
      'POST /v1/sessions/{session}/calls/{call}/result',
      'POST /v1/sessions/{session}/inputs',
    ])
  })

  it('names one scope for each route but those that say whether the process is well', () => {
    const open = operations().filter(({ operation }) => operation.security === undefined)
    expect(open.map(({ name }) => name)).toEqual(['GET /healthz', 'GET /readyz'])
    for (const { operation } of operations())
      for (const { bearer } of operation.security ?? []) expect(SCOPES).toContain(bearer[0])
  })

  it('describes problems of each route that needs a scope as problem documents, or as OpenAI has them', () => {
    for (const { name, operation } of operations().filter(
      ({ operation: one }) => one.security !== undefined,
    )) {
      const isOpenAi = /\/v1\/(models|chat|responses)/.test(name)
      expect(Object.keys(operation.responses)).toEqual(
        expect.arrayContaining(['400', '401', '403', '429', '5XX']),
      )
      for (const [status, response] of Object.entries(operation.responses))
        if (/^[45]/.test(status))
          expect(Object.keys(response.content ?? {})).toEqual([
            isOpenAi ? 'application/json' : 'application/problem+json',
          ])
    }
  })

  it('has schemas that are JSON Schema, and references that lead somewhere', () => {
    const ajv = new Ajv2020({ strict: false })
    ajv.addSchema({ $id: 'document', components: document.components })
    for (const [name, schema] of Object.entries(document.components.schemas))
      expect(ajv.validateSchema(schema), name).toBe(true)
    for (const [, name] of JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g))
      expect(document.components.schemas).toHaveProperty(name ?? '')
  })
})
