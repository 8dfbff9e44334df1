import type { EndReason } from '../../core/event.ts'
import type { TurnPhase } from '../../core/wire.ts'
import type { BudgetRow } from '../view/budgets.ts'
import { END_SIGNS, PHASE_SIGNS, signOf } from '../view/words.ts'

const PHASES: readonly TurnPhase[] = [
  'pending',
  'thinking',
  'tool_calling',
  'tool_executing',
  'waiting_human',
  'finished',
]

/** Where the Turn stands in its state machine, and how it ended where that was not as a model wanted. */
export function PhaseRail({
  phase,
  end,
}: {
  readonly phase: TurnPhase
  readonly end: EndReason | undefined
}) {
  const sign = end === undefined || end === 'completed' ? PHASE_SIGNS[phase] : signOf(END_SIGNS, end)
  const shown: readonly TurnPhase[] = phase === 'failed' ? [...PHASES.slice(0, -1), 'failed'] : PHASES
  return (
    <ol className="rail" aria-label="Phase of the Turn">
      {shown.map((one) => (
        <li
          key={one}
          aria-current={one === phase ? 'step' : undefined}
          className={`tone-${(one === phase ? sign : PHASE_SIGNS[one]).tone}`}
        >
          {one === phase ? (
            <span aria-hidden="true" className="badge-icon">
              {sign.icon}
            </span>
          ) : null}
          {one}
          {one === phase && sign !== PHASE_SIGNS[phase] ? `: ${sign.word}` : null}
        </li>
      ))}
    </ol>
  )
}

/** What the Turn has spent, against its limits. */
export function Budgets({ rows }: { readonly rows: readonly BudgetRow[] }) {
  return (
    <dl className="budgets" aria-label="Budgets of the Turn">
      {rows.map(({ name, used, limit, text }) => (
        <div key={name} className="budget">
          <dt>{name}</dt>
          <dd>
            {text}
            {limit === undefined ? null : (
              <meter aria-label={name} min={0} max={limit} value={Math.min(used, limit)} high={limit * 0.8} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
