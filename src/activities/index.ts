/**
 * The activities of a Turn, bound to their ports.
 */
import { AgentSnapshots } from './agent-snapshots.ts'
import { callModel } from './call-model.ts'
import { closeTurn } from './close-turn.ts'
import type { TurnActivities } from './contracts.ts'
import { continueTurn, openTurn } from './open-turn.ts'
import type { ActivityPorts } from './ports.ts'
import { runTool } from './run-tool.ts'
import { SessionMessages } from './session-messages.ts'
import { toFailure } from './to-failure.ts'

export type { ActivityPorts } from './ports.ts'

/** The activities to register with a worker. Each is a function of its request and these ports. */
export function createActivities(given: ActivityPorts): TurnActivities {
  const snapshots = new AgentSnapshots(given.store)
  const messages = new SessionMessages(given.store)
  const ports = { ...given, snapshots, messages }
  return {
    openTurn: failing((request) => openTurn(ports, request)),
    continueTurn: failing((request) => continueTurn(ports, request)),
    callModel: failing((request) => callModel(ports, request)),
    runTool: failing((request) => runTool(ports, request)),
    closeTurn: failing((request) => closeTurn(ports, request)),
  }
}

/** Turns what an activity throws into what Temporal is told. */
function failing<Request, Answer>(
  activity: (request: Request) => Promise<Answer>,
): (request: Request) => Promise<Answer> {
  return async (request) => {
    try {
      return await activity(request)
    } catch (error) {
      throw toFailure(error)
    }
  }
}
