import { type ApiProblem, adviceFor } from '../api/problem.ts'
import { inertText } from '../view/inert-text.ts'

/** What went wrong and what to do. */
export function ProblemNotice({
  problem,
  onDismiss,
}: {
  readonly problem: ApiProblem | undefined
  readonly onDismiss?: () => void
}) {
  if (problem === undefined) return null
  const advice = adviceFor(problem)
  return (
    <div className="notice tone-bad" role="alert">
      <p>
        <span aria-hidden="true">✗ </span>
        {inertText(problem.message)} {advice} <code className="quiet">{problem.code}</code>
      </p>
      {onDismiss === undefined ? null : (
        <button type="button" className="plain" onClick={onDismiss}>
          Dismiss
        </button>
      )}
    </div>
  )
}
