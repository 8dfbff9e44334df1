import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { TurnstepError } from '../../src/core/errors.ts'
import { createToolHost, defineTool, type StandardSchema } from '../../src/tools/index.ts'

const MINIMAL = {
  name: 'greet',
  description: 'Greets somebody.',
  input: z.object({ name: z.string() }),
  run: () => 'hi',
}

/** A library that validates but cannot say its JSON Schema. */
const MUTE: StandardSchema<{ n: number }, { n: string }> = {
  '~standard': { version: 1, vendor: 'mute', validate: () => ({ value: { n: '1' } }) },
}

describe('defineTool', () => {
  it('completes a definition with its defaults', () => {
    const [description] = createToolHost([defineTool(MINIMAL)]).describe()
    expect(description).toEqual({
      name: 'greet',
      description: 'Greets somebody.',
      parameters: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      effect: 'once',
      risk: 'low',
      timeoutMs: 30_000,
      retries: 0,
    })
  })

  it('keeps what is given, renders whenNotToUse and says when risk is judged by arguments', () => {
    const tool = defineTool({
      ...MINIMAL,
      whenNotToUse: ' For strangers. ',
      effect: 'idempotent',
      risk: () => 'high',
      timeoutMs: 86_400_000,
      retries: 10,
      poll: { maxCalls: 5 },
    })
    expect(createToolHost([tool]).describe()).toEqual([
      {
        name: 'greet',
        description: 'Greets somebody.\n\nWhen not to use it: For strangers.',
        parameters: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
        effect: 'idempotent',
        risk: 'by-arguments',
        timeoutMs: 86_400_000,
        retries: 10,
        poll: { maxCalls: 5 },
      },
    ])
  })

  it('infers the arguments from the schema', () => {
    defineTool({
      ...MINIMAL,
      input: z.object({ to: z.string(), copies: z.number().default(1) }),
      risk: (args) => {
        expectTypeOf(args).toEqualTypeOf<{ to: string; copies: number }>()
        return 'low'
      },
      run: (args) => expectTypeOf(args).toEqualTypeOf<{ to: string; copies: number }>(),
    })
    defineTool({
      ...MINIMAL,
      input: { standard: MUTE, jsonSchema: { type: 'object' } },
      run: (args) => expectTypeOf(args).toEqualTypeOf<{ n: string }>(),
    })
    defineTool({
      ...MINIMAL,
      input: { type: 'object', properties: { n: { type: 'number' } } },
      run: (args) => expectTypeOf(args['n']).toEqualTypeOf<unknown>(),
    })
  })

  it.each([
    [{ name: '' }, 'Tool "": name must be 1 to 64 characters out of a-z A-Z 0-9 _ -.'],
    [{ name: 'send mail' }, 'Tool "send mail": name must be'],
    [{ name: 'x'.repeat(65) }, 'name must be'],
    [{ name: undefined }, 'Tool (without a name): name must be'],
    [{ description: ' ' }, 'Tool "greet": description must be a text'],
    [{ whenNotToUse: '' }, 'Tool "greet": whenNotToUse must be a text'],
    [{ run: undefined }, 'Tool "greet": run must be a function'],
    [{ effect: 'write' }, "Tool \"greet\": effect must be 'read', 'idempotent' or 'once'"],
    [{ risk: 'extreme' }, 'Tool "greet": risk must be'],
    [{ timeoutMs: 0 }, 'Tool "greet": timeoutMs must be a whole number from 1 to 86400000'],
    [{ timeoutMs: 1.5 }, 'Tool "greet": timeoutMs must be'],
    [{ timeoutMs: 86_400_001 }, 'Tool "greet": timeoutMs must be'],
    [{ timeoutMs: Number.NaN }, 'Tool "greet": timeoutMs must be'],
    [{ retries: -1, effect: 'read' }, 'Tool "greet": retries must be a whole number from 0 to 10'],
    [{ retries: 1 }, 'Tool "greet": retries must be 0 while effect is \'once\''],
    [{ poll: { maxCalls: 3 } }, "Tool \"greet\": poll needs effect 'read' or 'idempotent'"],
    [{ poll: {}, effect: 'read' }, 'Tool "greet": poll must set maxCalls, maxDurationMs or both'],
    [{ poll: { maxCalls: 0 }, effect: 'read' }, 'Tool "greet": poll.maxCalls must be'],
    [{ poll: { maxDurationMs: '5s' }, effect: 'read' }, 'Tool "greet": poll.maxDurationMs must be'],
    [{ timeout: 5 }, 'Tool "greet": timeout is not a field of a tool'],
    [{ input: undefined }, 'Tool "greet": input must be a Zod schema'],
    [{ input: z.string() }, 'Tool "greet": input must be an object schema'],
    [{ input: z.union([z.object({}), z.object({})]) }, 'Tool "greet": input must be an object schema'],
    [{ input: z.object({ when: z.date() }) }, 'Tool "greet": input must have a JSON Schema'],
    [{ input: MUTE }, 'Tool "greet": input must come as { standard, jsonSchema }, because mute'],
    [
      { input: { standard: MUTE, jsonSchema: { type: 'array' } } },
      'Tool "greet": input must be an object schema',
    ],
    [{ input: { type: 'array' } }, 'Tool "greet": input must be an object schema'],
    [{ input: { type: 'object', propertees: {} } }, 'Tool "greet": input must be a valid JSON Schema'],
    [
      { input: { type: 'object', properties: { a: { type: 'strin' } } } },
      'Tool "greet": input must be a valid JSON Schema',
    ],
    [
      { input: { type: 'object', properties: { a: { $ref: 'https://example.org/a' } } } },
      'Tool "greet": input must be a valid JSON Schema',
    ],
    [
      { input: { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' } },
      'Tool "greet": input must be a valid JSON Schema',
    ],
  ])('refuses %o, naming tool and field', (fields, message) => {
    const define = () => defineTool({ ...MINIMAL, ...fields } as unknown as typeof MINIMAL)
    expect(define).toThrow(TurnstepError)
    expect(define).toThrow(message)
    expect(define).toThrow(expect.objectContaining({ code: 'invalid-config' }))
  })

  it.each([undefined, null, 'greet'])('refuses %j as a definition', (definition) => {
    expect(() => defineTool(definition as unknown as typeof MINIMAL)).toThrow('definition must be an object')
  })
})
