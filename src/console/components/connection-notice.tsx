import { adviceFor } from '../api/problem.ts'
import { inertText } from '../view/inert-text.ts'
import type { Connection } from '../view/session-state.ts'

/** Says when what is shown may be out of date, and why. */
export function ConnectionNotice({
  connection,
  now,
}: {
  readonly connection: Connection
  readonly now: number
}) {
  if (connection.kind !== 'broken') return null
  const { problem, retryAt } = connection
  const seconds = retryAt === undefined ? undefined : Math.max(0, Math.ceil((retryAt - now) / 1_000))
  return (
    <div className="notice tone-warning" role="status">
      <p>
        <span aria-hidden="true">! </span>
        Not connected: {inertText(problem.message)} {adviceFor(problem)}{' '}
        {seconds === undefined ? '' : seconds === 0 ? 'Trying again …' : `Trying again in ${seconds} s.`}
      </p>
    </div>
  )
}
