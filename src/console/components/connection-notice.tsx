import { adviceFor } from '../api/problem.ts'
import { inertText } from '../view/inert-text.ts'
import { type Connection, isMissing } from '../view/session-state.ts'

/** Says when what is shown may be out of date, and why. Not announced, because it counts seconds: the page is. */
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
    <div className="notice tone-warning">
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
