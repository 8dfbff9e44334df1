import { TurnstepError } from '../../src/core/errors.ts'
import type { SessionStore } from '../../src/core/ports.ts'

type Method = Exclude<keyof SessionStore, 'watch' | 'close'>

/** A store that fails when the test says so. Wrap the one that a worker uses; the test's own stays whole. */
export class FaultyStore {
  readonly store: SessionStore
  #failing: ReadonlySet<Method> | 'all' | undefined
  #code: 'store-unavailable' | 'store-corrupt' = 'store-unavailable'
  #failures = 0
  #waiting: { readonly count: number; readonly resolve: () => void }[] = []

  constructor(inner: SessionStore) {
    this.store = new Proxy(inner, {
      get: (target, name: keyof SessionStore) => {
        const member = target[name].bind(target)
        if (name === 'watch' || name === 'close') return member
        return (...args: unknown[]) => {
          this.#check(name)
          return (member as (...args: unknown[]) => unknown)(...args)
        }
      },
    })
  }

  /** From now on every call fails, or only those of some methods. */
  breakDown(
    code: 'store-unavailable' | 'store-corrupt' = 'store-unavailable',
    only?: readonly Method[],
  ): void {
    this.#code = code
    this.#failing = only === undefined ? 'all' : new Set(only)
    this.#failures = 0
  }

  repair(): void {
    this.#failing = undefined
  }

  /** Resolves when so many calls have failed since the breakdown. */
  failed(count: number): Promise<void> {
    if (this.#failures >= count) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.push({ count, resolve }))
  }

  #check(name: Method): void {
    if (this.#failing === undefined || (this.#failing !== 'all' && !this.#failing.has(name))) return
    this.#failures += 1
    for (const { count, resolve } of this.#waiting) if (this.#failures >= count) resolve()
    throw new TurnstepError(this.#code, `The store failed at ${name}, as the test wanted.`)
  }
}
