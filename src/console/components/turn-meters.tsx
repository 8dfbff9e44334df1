import { useTurnCosts } from '../hooks/use-turn-costs.ts'
import { budgetsOf, type TurnLimits } from '../view/budgets.ts'
import type { TurnView } from '../view/turn-view.ts'
import { Budgets, PhaseRail } from './meters.tsx'

/** Phase and budgets of the newest Turn, as they move. */
export function TurnMeters({
  session,
  turn,
  now,
  limits,
}: {
  readonly session: string
  readonly turn: TurnView
  readonly now: number
  readonly limits: TurnLimits | undefined
}) {
  const { total } = useTurnCosts(session, turn, true)
  return (
    <div className="meters">
      <PhaseRail phase={turn.phase} end={turn.end?.reason} />
      <Budgets rows={budgetsOf(turn, { limits, cost: total, now })} />
    </div>
  )
}
