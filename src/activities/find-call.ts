/**
 * A call as the log has it: where it stands, what a human decided of it, and whether its arguments fit its tool.
 */
import { type AgentLimits, DEFAULT_LIMITS } from '../core/agent.ts'
import type { EventOf } from '../core/event.ts'
import type { CallPosition, SessionKey } from '../core/ids.ts'
import { callKey, parseCallId, stepKey } from '../core/ids.ts'
import type { LogHead } from '../core/log-head.ts'
import type { ToolCall } from '../core/message.ts'
import { parseArguments } from '../core/parse-arguments.ts'
import type { ToolDescription, ToolHost, Validation } from '../core/ports.ts'
import type { Redactor } from '../core/redaction/create-redactor.ts'
import { detectorsOf } from '../core/redaction/redaction-policy.ts'
import type { BoundPorts } from './ports.ts'

export interface FoundCall {
  readonly position: CallPosition
  /** With the arguments that are to run: the model's, or a human's instead. */
  readonly call: ToolCall
  readonly head: LogHead
  readonly tool: ToolDescription
  /** Of the agent with which the Turn was opened. */
  readonly limits: AgentLimits
  /** Of what the tool returns and throws. */
  readonly redactor: Redactor
  /** Absent when no worker has the tool any more. */
  readonly host?: ToolHost
  readonly validation?: Validation
  /** What was decided, if the call needs approval. */
  readonly decided?: EventOf<'approval/decided'>
}

/** Finds a call; undefined when the log lacks it. */
export async function findCall(
  ports: BoundPorts,
  key: SessionKey,
  at: { readonly turnId: string; readonly callId: string },
): Promise<FoundCall | undefined> {
  const position = positionOf(at)
  const message = await ports.store.find(key, stepKey(position.turnId, position.step, 'message'))
  if (message?.type !== 'assistant/message') return undefined
  const asked = message.calls[position.index]
  if (asked === undefined) return undefined
  const decided = asked.needsApproval
    ? await ports.store.find(key, callKey(position.turnId, position, 'decided'))
    : undefined
  const edited = decided?.type === 'approval/decided' ? decided.arguments : undefined
  const call = edited === undefined ? asked : { ...asked, arguments: edited }
  const head = await ports.store.head(key)
  const snapshot = await ports.snapshots.load(key.tenant, head.open?.agentDigest ?? '')
  const agent = ports.agents.get(head.open?.agent)
  const host = agent?.tools
  const tool = snapshot?.tools.find(({ name }) => name === call.tool)
  const parsed = parseArguments(call.arguments)
  const isKnown = tool !== undefined && host !== undefined && parsed.kind === 'parsed'
  const validation = isKnown ? await host.validate(call.tool, parsed.value) : undefined
  const detectors = detectorsOf(tool?.redact ?? 'default', agent?.detectors)
  return {
    position,
    call,
    head,
    redactor: await ports.redactors.redactorOf(key, detectors),
    tool: tool ?? goneTool(call.tool),
    limits: { ...DEFAULT_LIMITS, ...snapshot?.limits },
    ...(host === undefined ? {} : { host }),
    ...(validation === undefined ? {} : { validation }),
    ...(decided?.type === 'approval/decided' ? { decided } : {}),
  }
}

export function positionOf(at: { readonly turnId: string; readonly callId: string }): CallPosition {
  const parsed = parseCallId(at.callId)
  if (parsed === undefined) throw new Error(`Not a call id of ours: ${at.callId}`)
  return { turnId: at.turnId, callId: at.callId, ...parsed }
}

/** Stands for a tool that the agent does not have any more. */
function goneTool(name: string): ToolDescription {
  return { name, description: '', parameters: {}, effect: 'once', risk: 'low', timeoutMs: 1_000, retries: 0 }
}
