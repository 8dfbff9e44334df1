import type { Context } from 'hono'
import type { RouterRoute } from 'hono/types'
import { problemOf, problemResponse } from './problem.ts'

/** A path that is not there; or one that is, under other methods. */
export function answerNotFound(c: Context, routes: readonly RouterRoute[]): Response {
  const allowed = new Set(
    routes
      .filter(({ method, path }) => method !== 'ALL' && matches(path, c.req.path))
      .map(({ method }) => method),
  )
  if (allowed.size === 0) return problemResponse(problemOf('not-found', `There is nothing at ${c.req.path}.`))
  const allow = [...allowed].sort().join(', ')
  return problemResponse(problemOf('method-not-allowed', `${c.req.path} takes ${allow}.`), { allow })
}

function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/')
  const given = path.split('/')
  return (
    wanted.length === given.length &&
    wanted.every((part, index) => (part.startsWith(':') ? given[index] !== '' : part === given[index]))
  )
}
