/**
 * What a suite needs of a test runner: structural, so that the caller's runner is used and none is imported.
 */

/** The assertions on one value; those of Vitest and Jest fit. */
export interface Assertion {
  toBe(expected: unknown): void
  toEqual(expected: unknown): void
  readonly rejects: {
    toMatchObject(expected: object): Promise<unknown>
    toThrow(expected?: string): Promise<unknown>
  }
}

/** `import * as vitest from 'vitest'` is one. */
export interface TestApi {
  describe(name: string, body: () => void): unknown
  it(name: string, body: () => Promise<void>): unknown
  expect(actual: unknown): Assertion
  beforeEach(body: () => Promise<void>): unknown
  afterEach(body: () => Promise<void>): unknown
}
