import { useCallback, useState } from 'react'
import { ApiProblem, unreachable } from '../api/problem.ts'

export interface Action {
  /** Runs what is given, one at a time; what goes wrong becomes `problem`. True when it went well. */
  readonly run: (body: () => Promise<unknown>) => Promise<boolean>
  readonly isRunning: boolean
  readonly problem: ApiProblem | undefined
  readonly dismiss: () => void
}

/** Something that a person asks the gateway to do, and what came of it. */
export function useAction(): Action {
  const [isRunning, setRunning] = useState(false)
  const [problem, setProblem] = useState<ApiProblem>()
  const dismiss = useCallback(() => setProblem(undefined), [])
  const run = useCallback(async (body: () => Promise<unknown>): Promise<boolean> => {
    setRunning(true)
    setProblem(undefined)
    try {
      await body()
      return true
    } catch (error) {
      setProblem(error instanceof ApiProblem ? error : unreachable())
      return false
    } finally {
      setRunning(false)
    }
  }, [])
  return { run, isRunning, problem, dismiss }
}
