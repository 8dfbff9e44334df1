/**
 * Opening a Turn: claims its inputs, keeps the agent's snapshot, brings the plan.
 */
import type { Agent, AgentSnapshot } from '../core/agent.ts'
import { DEFAULT_LIMITS } from '../core/agent.ts'
import { budgetOf } from '../core/budget.ts'
import { closeAbandoned } from '../core/close-in-log.ts'
import type { OpeningAnswer } from '../core/decide-opening.ts'
import { decideOpening, openingKeys } from '../core/decide-opening.ts'
import { TurnstepError } from '../core/errors.ts'
import type { SessionKey } from '../core/ids.ts'
import { continuedKey } from '../core/ids.ts'
import type { SessionMemory } from '../core/log-head.ts'
import type { ToolPlan, TurnPlan } from '../core/wire.ts'
import { sessionOfActivity } from './attempt.ts'
import type { ContinueTurnRequest, OpenTurnAnswer, OpenTurnRequest } from './contracts.ts'
import type { ActivityPorts, BoundPorts } from './ports.ts'
import { resolveInputs, toBeJudged } from './resolve-inputs.ts'

export async function openTurn(ports: BoundPorts, request: OpenTurnRequest): Promise<OpenTurnAnswer> {
  const { store, snapshots } = ports
  const key = sessionOfActivity()
  const { name, agent } = await agentOf(ports, key)
  const isGuarded = (agent?.snapshot.guardrails?.input.length ?? 0) > 0
  const offer = {
    ...request,
    steers: toBeJudged(await resolveInputs(store, key.tenant, request.steers), isGuarded),
    followups: toBeJudged(await resolveInputs(store, key.tenant, request.followups), isGuarded),
    agent: name,
    agentDigest: agent === undefined ? '' : await snapshots.keep(key.tenant, agent),
  }
  for (;;) {
    const result = await store.commit<OpeningAnswer>(key, {
      keys: openingKeys(offer),
      decide: (view) => decideOpening(view, offer),
    })
    if (result.kind === 'refused')
      throw new TurnstepError('internal', `The log refused an opening: ${result.refusal}`)
    const { answer, head } = result
    if (answer.kind === 'abandoned') {
      await closeAbandoned(store, key, head)
      continue
    }
    if (answer.kind === 'nothing-opened') return answer
    const snapshot = agent && (await snapshots.load(key.tenant, head.open?.agentDigest ?? offer.agentDigest))
    return {
      ...answer,
      plan: planOf({ agent: name, agentDigest: offer.agentDigest, snapshot, memory: head.memory }),
      seq: head.seq,
      ...(snapshot === undefined ? { error: 'unknown-agent' } : {}),
    }
  }
}

/** Notes that the Turn goes on in this run, so that an abort is aimed at it. */
export async function continueTurn(ports: ActivityPorts, request: ContinueTurnRequest): Promise<void> {
  const { turnId, runId } = request
  await ports.store.commit(sessionOfActivity(), {
    keys: [],
    decide: () => ({
      append: [{ type: 'turn/continued', ...request, key: continuedKey(turnId, runId) }],
      answer: undefined,
    }),
  })
}

async function agentOf(
  ports: ActivityPorts,
  key: SessionKey,
): Promise<{ readonly name: string; readonly agent: Agent | undefined }> {
  const record = await ports.store.session(key)
  const agent = ports.agents.get(record?.agent)
  return { name: agent?.snapshot.name ?? record?.agent ?? '', agent }
}

/** What the workflow needs to know of an agent. */
function planOf(of: {
  readonly agent: string
  readonly agentDigest: string
  readonly snapshot: AgentSnapshot | undefined
  readonly memory: SessionMemory | undefined
}): TurnPlan {
  const { agent, agentDigest, snapshot, memory } = of
  const limits = snapshot?.limits ?? DEFAULT_LIMITS
  const { maxSteps, maxDurationMs, abortGraceMs } = limits
  const budget = budgetOf(limits, memory)
  const tools = (snapshot?.tools ?? []).map(
    ({ name, effect, timeoutMs, poll }): readonly [string, ToolPlan] => [
      name,
      { effect, timeoutMs, ...(poll === undefined ? {} : { poll }) },
    ],
  )
  const { onSteerWhileWaiting = 'keep' } = snapshot?.policy ?? {}
  return {
    agent,
    agentDigest,
    maxSteps,
    maxDurationMs,
    abortGraceMs,
    ...(budget === undefined ? {} : { budget }),
    ...(onSteerWhileWaiting === 'keep' ? {} : { onSteerWhileWaiting }),
    tools: Object.fromEntries(tools),
    ...guardrailsOf(snapshot),
  }
}

function guardrailsOf(snapshot: AgentSnapshot | undefined): Pick<TurnPlan, 'guardrails'> {
  if (snapshot?.guardrails === undefined) return {}
  const { input, output } = snapshot.guardrails
  return {
    guardrails: {
      ...(input.length > 0 ? { input: true } : {}),
      ...(output.length > 0 ? { output: true } : {}),
    },
  }
}
