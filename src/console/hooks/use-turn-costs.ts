import { useEffect, useState } from 'react'
import { readTurn } from '../api/calls.ts'
import { costsOf, type TurnCosts } from '../view/turn-costs.ts'
import type { TurnView } from '../view/turn-view.ts'

const NONE: TurnCosts = { bySteps: new Map() }

/** What a Turn cost, by Step: asked for while it is looked at, anew when tokens were spent and at its end. */
export function useTurnCosts(session: string, view: TurnView, isWanted: boolean): TurnCosts {
  const [costs, setCosts] = useState(NONE)
  const { turnId, tokens } = view
  const isOver = view.end !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end of the Turn is a reason to ask, too.
  useEffect(() => {
    if (!isWanted || tokens === 0) return
    let isCurrent = true
    readTurn(session, turnId).then(
      (turn) => isCurrent && setCosts(costsOf(turn)),
      // Costs are beside the point where they cannot be had.
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [session, turnId, tokens, isWanted, isOver])
  return costs
}
