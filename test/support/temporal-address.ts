import { inject } from 'vitest'

/**
 * The frontend of the one Temporal server that all test files share. A test file keeps to itself by a task queue and
 * Session ids of its own.
 */
export function temporalAddress(): string {
  return inject('temporalAddress')
}
