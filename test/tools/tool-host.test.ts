import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  createToolHost,
  defineTool,
  type StandardSchema,
  type Tool,
  type ToolInput,
} from '../../src/tools/index.ts'
import { toolContext } from './tool-context.ts'

function tool<const Input extends ToolInput>(input: Input, name = 'act'): Tool {
  return defineTool({ name, description: 'Acts.', input, run: (args) => ({ args }) })
}

async function problemOf(input: ToolInput, args: unknown): Promise<string> {
  const validation = await createToolHost([tool(input)]).validate('act', args)
  return validation.kind === 'invalid' ? validation.problem : 'VALID'
}

const MAIL = z.object({
  to: z.array(z.object({ address: z.string(), name: z.string().optional() })),
  subject: z.string().max(10).optional(),
})

describe('createToolHost', () => {
  it('describes tools as plain data in the order given, the same each time', () => {
    const host = createToolHost([tool(z.object({}), 'zebra'), tool(z.object({}), 'ant')])
    expect(host.describe().map(({ name }) => name)).toEqual(['zebra', 'ant'])
    expect(JSON.parse(JSON.stringify(host.describe()))).toEqual(host.describe())
    expect(host.describe()).toBe(host.describe())
    expect(Object.isFrozen(host.describe()[0]?.parameters)).toBe(true)
  })

  it('refuses two tools of one name', () => {
    const twice = [tool(z.object({})), tool(z.object({}))]
    expect(() => createToolHost(twice)).toThrow('Tool "act": name is used by two tools.')
    expect(() => createToolHost(twice)).toThrow(expect.objectContaining({ code: 'invalid-config' }))
  })

  it('refuses what defineTool has not made', () => {
    const impostor = { name: 'act', description: 'Acts.', run: () => 1 } as unknown as Tool
    expect(() => createToolHost([tool(z.object({}), 'a'), impostor])).toThrow(
      'tools[1] must be a tool made by defineTool.',
    )
  })

  it('runs a tool with validated arguments and its context', async () => {
    const calls: unknown[] = []
    const host = createToolHost([
      defineTool({
        name: 'act',
        description: 'Acts.',
        input: z.object({ n: z.number().default(7) }),
        run: (args, { requestId }) => calls.push([args, requestId]),
      }),
    ])
    const validation = await host.validate('act', {})
    expect(validation).toEqual({ kind: 'valid', args: { n: 7 }, risk: 'low' })
    expect(calls).toEqual([])
    await host.run('act', { n: 7 }, toolContext())
    expect(calls).toEqual([[{ n: 7 }, 'req-1']])
  })

  it('rejects with what a tool throws, also when it throws at once', async () => {
    const failure = new Error('no paper')
    const host = createToolHost([
      defineTool({
        name: 'act',
        description: 'Acts.',
        input: z.object({}),
        run: () => {
          throw failure
        },
      }),
    ])
    await expect(host.run('act', {}, toolContext())).rejects.toBe(failure)
  })

  it('B36: answers for a tool that is not there, and fails to run it', async () => {
    const host = createToolHost([tool(z.object({}))])
    expect(await host.validate('atc', {})).toEqual({
      kind: 'invalid',
      problem: 'There is no tool atc. The tools are: act.',
    })
    await expect(host.run('atc', {}, toolContext())).rejects.toThrow(
      expect.objectContaining({ code: 'internal' }),
    )
    expect(await createToolHost([]).validate('__proto__', {})).toEqual({
      kind: 'invalid',
      problem: 'There is no tool __proto__. There are no tools.',
    })
  })
})

describe('the risk of a call', () => {
  it.each([
    [
      'a function of validated arguments',
      ({ to }: { to: string }) => (to === 'team' ? 'low' : 'high'),
      'high',
    ],
    ['a level', 'medium', 'medium'],
    ['high when the function throws', () => JSON.parse('nonsense'), 'high'],
    ['high when the function answers something else', () => 'lowest', 'high'],
    ['high when the function answers later', async () => 'low', 'high'],
  ])('is %s', async (_, risk, level) => {
    const host = createToolHost([
      defineTool({
        name: 'act',
        description: 'Acts.',
        input: z.object({ to: z.string() }),
        risk: risk as 'low',
        run: () => 1,
      }),
    ])
    expect(await host.validate('act', { to: 'customer' })).toEqual({
      kind: 'valid',
      args: { to: 'customer' },
      risk: level,
    })
  })
})

describe('the problem text of invalid arguments', () => {
  it('names path, rule and value of each problem', async () => {
    expect(await problemOf(MAIL, { to: [{ address: 5 }], subject: 'much too long' })).toBe(
      [
        'The arguments do not fit the tool, nothing was run:',
        '- to[0].address: Invalid input: expected string, received number; got 5',
        '- subject: Too big: expected string to have <=10 characters; got "much too long"',
      ].join('\n'),
    )
  })

  it('B30: says what is missing when a call came without arguments', async () => {
    expect(await problemOf(MAIL, {})).toBe(
      'The arguments do not fit the tool, nothing was run:\n- to: Invalid input: expected array, received undefined; got nothing',
    )
  })

  it('does the same for a raw JSON Schema', async () => {
    const schema = {
      type: 'object',
      properties: {
        unit: { enum: ['C', 'F'] },
        days: { type: 'array', items: { type: 'integer', maximum: 7 } },
        v: { const: 1 },
      },
      required: ['city'],
    }
    expect(await problemOf(schema, { unit: 'K', days: [1, 8], v: 2, mood: 'good' })).toBe(
      [
        'The arguments do not fit the tool, nothing was run:',
        '- city: is required',
        '- unit: must be one of ["C","F"]; got "K"',
        '- days[1]: must be <= 7; got 8',
        '- v: must be 1; got 2',
        '- mood: unknown argument (allowed: unit, days, v)',
      ].join('\n'),
    )
  })

  it('lists five problems at most and counts the rest', async () => {
    const args = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`k${index}`, 1]))
    const problem = await problemOf(z.object({}), args)
    expect(problem).toContain('- k4: unknown argument (none is allowed here)')
    expect(problem).not.toContain('k5')
    expect(problem).toMatch(/\n- and 15 more$/)
  })

  it('lists fewer when they are long, and counts those that are left', async () => {
    const long = z.string().refine(() => false, 'must be '.padEnd(200, 'x'))
    const problem = await problemOf(z.object({ a: long, b: long, c: long, d: long }), {
      a: 'y'.repeat(100),
      b: 'y'.repeat(100),
      c: 'y'.repeat(100),
      d: 'y'.repeat(100),
    })
    expect(problem.length).toBeLessThanOrEqual(500)
    expect(problem).toMatch(/\n- b: must be x+…; got "y+…\n- and 2 more$/)
  })

  it('stays within 500 well-formed characters, whatever was sent', async () => {
    const input = z.object({ a: z.string(), b: z.array(z.number()), c: z.object({ d: z.boolean() }) })
    const host = createToolHost([tool(input)])
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.jsonValue({ stringUnit: 'binary' }),
          fc.dictionary(fc.string({ maxLength: 300 }), fc.jsonValue()),
        ),
        async (args) => {
          const validation = await host.validate('act', args)
          if (validation.kind === 'valid') return
          expect(validation.problem.length).toBeLessThanOrEqual(500)
          expect(validation.problem.isWellFormed()).toBe(true)
        },
      ),
    )
  })

  it('cuts long values at code points', async () => {
    const problem = await problemOf(z.object({ n: z.number() }), { n: '😀'.repeat(10_000) })
    expect(problem.isWellFormed()).toBe(true)
    expect(problem.length).toBeLessThan(250)
  })

  it('says so when the schema itself fails', async () => {
    const input = z.object({ n: z.number().refine(() => JSON.parse('nonsense')) })
    expect(await problemOf(input, { n: 1 })).toMatch(
      /^The arguments could not be checked, nothing was run: SyntaxError/,
    )
  })
})

describe('strict validation', () => {
  it.each([
    ['a Zod object', z.object({ a: z.string() }), { a: 'x', b: 1 }, '- b: unknown argument (allowed: a)'],
    [
      'a strict Zod object',
      z.strictObject({ a: z.string() }),
      { a: 'x', b: 1 },
      '- b: unknown argument (allowed: a)',
    ],
    [
      'an object within',
      z.object({ a: z.object({ b: z.string() }) }),
      { a: { b: 'x', c: 1 } },
      '- a.c: unknown argument (allowed: b)',
    ],
    [
      'an object in a list',
      z.object({ a: z.array(z.object({})) }),
      { a: [{}, { c: 1 }] },
      '- a[1].c: unknown argument (none is allowed here)',
    ],
    [
      'a union',
      z.object({ a: z.union([z.object({ b: z.string() }), z.object({ c: z.string() })]) }),
      { a: { b: 'x', d: 1 } },
      '- a.d: unknown argument (allowed: b, c)',
    ],
    [
      'an intersection',
      z.object({ a: z.object({ b: z.string() }).and(z.object({ c: z.string() })) }),
      { a: { b: 'x', c: 'y', d: 1 } },
      '- a.d: unknown argument (allowed: b, c)',
    ],
    [
      'a recursive schema',
      treeSchema(),
      { name: 'x', children: [{ name: 'y', children: [], colour: 1 }] },
      '- children[0].colour: unknown argument (allowed: name, children)',
    ],
    [
      'a raw schema that closes itself',
      { type: 'object', properties: { a: {} }, additionalProperties: false },
      { b: 1 },
      '- b: unknown argument (allowed: a)',
    ],
    [
      'a raw schema with patterns',
      { type: 'object', patternProperties: { '^x': {} }, additionalProperties: false },
      { b: 1 },
      '- b: unknown argument (none is allowed here)',
    ],
    [
      'a raw schema with references',
      {
        type: 'object',
        properties: { a: { $ref: '#/$defs/a~1b' } },
        $defs: { 'a/b': { type: 'object', properties: {} } },
      },
      { a: { z: 1 } },
      '- a.z: unknown argument (none is allowed here)',
    ],
  ])('refuses an argument that %s does not name', async (_, input, args, line) => {
    expect(await problemOf(input as ToolInput, args)).toBe(
      `The arguments do not fit the tool, nothing was run:\n${line}`,
    )
  })

  it.each([
    ['a loose Zod object', z.looseObject({ a: z.string() }), { a: 'x', b: 1 }],
    ['a Zod object with a catch-all', z.object({}).catchall(z.number()), { b: 1 }],
    ['a record within', z.object({ a: z.record(z.string(), z.number()) }), { a: { any: 1 } }],
    ['a raw schema that says so', { type: 'object', properties: {}, additionalProperties: true }, { b: 1 }],
    ['a raw schema that names nothing', { type: 'object' }, { b: 1 }],
    [
      'one side of an intersection',
      {
        type: 'object',
        allOf: [{ properties: { c: {} } }, { properties: {}, additionalProperties: true }],
      },
      { c: 'y', d: 1 },
    ],
  ])('lets an argument pass that %s welcomes', async (_, input, args) => {
    expect(await problemOf(input as ToolInput, args)).toBe('VALID')
  })

  it('does not turn text into numbers for a raw JSON Schema', async () => {
    expect(await problemOf({ type: 'object', properties: { n: { type: 'number' } } }, { n: '5' })).toContain(
      '- n: must be number; got "5"',
    )
  })

  it.each([[[]], [null], ['text'], [5]])('refuses %j as arguments', async (args) => {
    expect(await problemOf(z.object({}), args)).toContain('arguments: Invalid input: expected object')
    expect(await problemOf({ type: 'object' }, args)).toContain('arguments: must be object')
  })

  it('waits for a Standard Schema that validates asynchronously', async () => {
    const slow: StandardSchema<{ id: string }> = {
      '~standard': {
        version: 1,
        vendor: 'slow',
        validate: async () => ({ issues: [{ message: 'is not known', path: [{ key: 'id' }] }] }),
      },
    }
    const jsonSchema = { type: 'object', properties: { id: { type: 'string' } } }
    expect(await problemOf({ standard: slow, jsonSchema }, { id: 'x1' })).toContain(
      '- id: is not known; got "x1"',
    )
    expect(
      await problemOf(z.object({ id: z.string().refine(async () => false, 'is taken') }), { id: 'x1' }),
    ).toContain('- id: is taken; got "x1"')
  })
})

function treeSchema() {
  const Tree = z.object({
    name: z.string(),
    get children() {
      return z.array(Tree)
    },
  })
  return Tree
}
