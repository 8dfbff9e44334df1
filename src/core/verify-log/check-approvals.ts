import type { Event, EventOf } from '../event.ts'
import type { ToolCall } from '../message.ts'
import { hasRun } from '../receipt.ts'
import type { CheckFactory, Report } from './check.ts'
import { isSameCall } from './check-calls.ts'

/** What a Step's log says of one call, as far as approval and its record are concerned. */
interface AskedCall {
  readonly call: ToolCall
  /** Whether the Session had approved its tool, with nothing from outside in the context, when it was asked for. */
  readonly isApprovedBefore: boolean
  requested?: EventOf<'approval/requested'>
  decided?: EventOf<'approval/decided'>
  claimed?: EventOf<'tool/call'>
  hasAudit: boolean
}

/** A dangerous call runs only as a human approved it, and leaves a record. */
export const checkApprovals: CheckFactory = (report) => {
  const approvedTools = new Set<string>()
  let hasOutside = false
  let calls = new Map<string, AskedCall>()

  const withCall = (event: Event & { readonly callId: string }, then: (call: AskedCall) => void): void => {
    const call = calls.get(event.callId)
    if (call !== undefined) then(call)
  }

  return {
    visit(event) {
      switch (event.type) {
        case 'assistant/message':
          calls = new Map(
            event.calls.map((call) => [
              call.callId,
              { call, isApprovedBefore: approvedTools.has(call.tool) && !hasOutside, hasAudit: false },
            ]),
          )
          break
        case 'approval/requested':
          withCall(event, (call) => {
            if (call.claimed !== undefined) report('approval-asked', `${event.callId} runs already`, event)
            call.requested = event
          })
          break
        case 'approval/decided':
          withCall(event, (call) => {
            checkDecision(call, event, report)
            call.decided = event
          })
          if (event.decision === 'approve' && event.scope === 'session') approvedTools.add(event.tool)
          break
        case 'tool/call':
          withCall(event, (call) => {
            checkApproved(call, event, report)
            call.claimed = event
          })
          break
        case 'tool/result':
          if (event.outside === true) hasOutside = true
          withCall(event, (call) => checkReceipt(call, event, { report, calls }))
          break
        case 'audit/recorded':
          withCall(event, (call) => {
            call.hasAudit = true
            if (call.claimed === undefined || !hasRun(event.outcome))
              report('audit', `${event.callId} has a record, but did not run`, event)
          })
          break
        case 'step/end':
          for (const [callId, { claimed, hasAudit }] of calls)
            if (claimed !== undefined && claimed.risk !== 'low' && !hasAudit)
              report('audit', `${callId} of ${claimed.risk} risk left no record`, event)
          calls = new Map()
          break
        default:
          break
      }
    },
  }
}

function checkDecision(call: AskedCall, event: EventOf<'approval/decided'>, report: Report): void {
  if (call.requested === undefined && event.cause === undefined)
    report('approval-asked', `${event.callId} was decided, but nobody was asked`, event)
  if (call.requested !== undefined && call.requested.argumentsDigest !== event.argumentsDigest)
    report('approval-arguments', `${event.callId} was decided for other arguments`, event)
  if ((event.decision === 'edit') !== (event.arguments !== undefined))
    report('approval-arguments', `${event.callId}: arguments belong to an edit, and to nothing else`, event)
  if (call.claimed !== undefined) report('approval-asked', `${event.callId} ran before`, event)
}

function checkApproved(call: AskedCall, event: EventOf<'tool/call'>, report: Report): void {
  const { decision } = call.decided ?? {}
  if (decision === 'approve' || decision === 'edit') return
  if (call.call.needsApproval === true || decision !== undefined)
    report('approved', `${event.callId} runs, but nobody approved it`, event)
  else if (event.risk === 'high' && !call.isApprovedBefore)
    report('approved', `${event.callId} of high risk runs, but nobody was asked`, event)
}

function checkReceipt(
  { call }: AskedCall,
  event: EventOf<'tool/result'>,
  step: { readonly report: Report; readonly calls: ReadonlyMap<string, AskedCall> },
): void {
  if (event.kind !== 'denied') return
  // An identical call of the Step shares what was decided of the first.
  const same = [...step.calls.values()].filter((other) => isSameCall(other.call, call))
  const isDenied = same.some(({ decided }) => decided?.decision === 'deny' || decided?.decision === 'replan')
  if (!isDenied) step.report('approved', `${event.callId} is denied, but nobody denied it`, event)
}
