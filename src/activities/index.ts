/**
 * The activities of a Turn, bound to their ports.
 */
import { AgentSnapshots } from './agent-snapshots.ts'
import { beating } from './attempt.ts'
import { callModel } from './call-model.ts'
import { closeTurn } from './close-turn.ts'
import type { TurnActivities } from './contracts.ts'
import { judgeInputs } from './judge-inputs.ts'
import { judgeOutput } from './judge-output.ts'
import { notify } from './notify.ts'
import { continueTurn, openTurn } from './open-turn.ts'
import type { ActivityPorts } from './ports.ts'
import { requestApproval } from './request-approval.ts'
import { runTool } from './run-tool.ts'
import { SessionMessages } from './session-messages.ts'
import { SessionRedactors } from './session-redactors.ts'
import { toFailure } from './to-failure.ts'
import { TurnBudgets } from './turn-budgets.ts'

export type { ActivityPorts } from './ports.ts'

/** The activities to register with a worker. Each is a function of its request and these ports. */
export function createActivities(given: ActivityPorts): TurnActivities {
  const snapshots = new AgentSnapshots(given.store)
  const messages = new SessionMessages(given.store)
  const budgets = new TurnBudgets(given.store, snapshots)
  const redactors = new SessionRedactors(given.store)
  const ports = { ...given, snapshots, messages, budgets, redactors }
  return {
    openTurn: attempting((request) => openTurn(ports, request)),
    continueTurn: attempting((request) => continueTurn(ports, request)),
    callModel: attempting((request, signal) => callModel(ports, request, signal)),
    judgeInputs: attempting((request, signal) => judgeInputs(ports, request, signal)),
    judgeOutput: attempting((request, signal) => judgeOutput(ports, request, signal)),
    requestApproval: attempting((request, signal) => requestApproval(ports, request, signal)),
    runTool: attempting((request, signal) => runTool(ports, request, signal)),
    closeTurn: attempting((request) => closeTurn(ports, request)),
    notify: attempting((request) => notify(ports, request)),
  }
}

/** One attempt: it beats while it works, and what it throws becomes what Temporal is told. */
function attempting<Request, Answer>(
  activity: (request: Request, signal: AbortSignal) => Promise<Answer>,
): (request: Request) => Promise<Answer> {
  return async (request) => {
    try {
      return await beating((signal) => activity(request, signal))
    } catch (error) {
      throw toFailure(error)
    }
  }
}
