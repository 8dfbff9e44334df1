import { adviceFor } from '../api/problem.ts'
import { inertText } from '../view/inert-text.ts'
import type { Connection } from '../view/session-state.ts'

/** Says when what is shown may be out of date, and why. */
export function ConnectionNotice({
  connection,
  now,
  onRetry,
}: {
  readonly connection: Connection
  readonly now: number
  readonly onRetry: () => void
}) {
  if (connection.kind !== 'broken' || isMissing(connection)) return null
  const { problem, retryAt } = connection
  const seconds = retryAt === undefined ? undefined : Math.max(0, Math.ceil((retryAt - now) / 1_000))
  return (
    <div className="notice tone-warning" role="status">
      <p>
        <span aria-hidden="true">! </span>
        Not connected: {inertText(problem.message)} {adviceFor(problem)}{' '}
        {seconds === undefined ? '' : seconds === 0 ? 'Trying again …' : `Trying again in ${seconds} s.`}
      </p>
      {seconds === undefined ? (
        <button type="button" className="plain" onClick={onRetry}>
          Try again
        </button>
      ) : null}
    </div>
  )
}

/** Whether there is no such Session: a message begins it. */
export function isMissing(connection: Connection): boolean {
  return connection.kind === 'broken' && connection.problem.code === 'session-not-found'
}
