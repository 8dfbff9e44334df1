/**
 * Queries that are compiled once and run many times, because building one costs more than running it.
 */
import type { Compilable, CompiledQuery, QueryResult } from 'kysely'

/** A Kysely instance, or a transaction of it. */
export interface QueryRunner {
  executeQuery<R>(query: CompiledQuery<R>): Promise<QueryResult<R>>
}

export type PreparedQuery<V, R> = (runner: QueryRunner, values: V) => Promise<readonly R[]>

/** Stands in a query for a value that is known when it runs. */
type SlotOf<V> = <T>(read: (values: V) => T) => T

class Slot<V> {
  readonly read: (values: V) => unknown

  constructor(read: (values: V) => unknown) {
    this.read = read
  }
}

/**
 * Compiles what `build` returns. In place of each value that differs from run to run, `build` puts
 * `slot(read)`, where `read` picks it out of the values that are given at each run.
 */
export function prepareQuery<V, R>(build: (slot: SlotOf<V>) => Compilable<R>): PreparedQuery<V, R> {
  // Kysely carries parameters through untouched, so a slot may pass as the value that will replace it.
  const slot = <T>(read: (values: V) => T): T => new Slot(read) as unknown as T
  const query = build(slot).compile()
  const parameters: readonly (Slot<V> | { readonly value: unknown })[] = query.parameters.map((parameter) =>
    isSlot<V>(parameter) ? parameter : { value: parameter },
  )
  return async (runner, values) => {
    const filled = parameters.map((parameter) =>
      parameter instanceof Slot ? parameter.read(values) : parameter.value,
    )
    const { rows } = await runner.executeQuery<R>({ ...query, parameters: filled })
    return rows
  }
}

/** One prepared query for each length of a list, compiled when that length first comes. */
export function prepareByCount<V, R>(
  build: (count: number) => PreparedQuery<V, R>,
): (count: number) => PreparedQuery<V, R> {
  const byCount = new Map<number, PreparedQuery<V, R>>()
  return (count) => {
    const known = byCount.get(count)
    if (known !== undefined) return known
    const prepared = build(count)
    byCount.set(count, prepared)
    return prepared
  }
}

/** The `index`th of a list that is known to be long enough. */
export function nth<T>(list: readonly T[], index: number): T {
  const item = list[index]
  if (item === undefined) throw new RangeError(`No item ${index} in a list of ${list.length}`)
  return item
}

function isSlot<V>(value: unknown): value is Slot<V> {
  return value instanceof Slot
}
