import { useMemo, useState } from 'react'
import type { EventOf } from '../../core/event.ts'
import type { CallView } from '../view/call-view.ts'
import { formatBytes, formatDuration, plural } from '../view/format.ts'
import { inertCode, inertText, oneLineJson, prettyJson } from '../view/inert-text.ts'
import { RECEIPT_SIGNS, STAGE_SIGNS, signOf } from '../view/words.ts'
import { ScrollBox } from './scroll-box.tsx'
import { SignBadge } from './sign-badge.tsx'

/** How much of a receipt is shown at first. */
const SHOWN_LINES = 40

/** A tool call in one line; opened, its arguments and its receipt. */
export function CallItem({
  call,
  onOpenSpill,
}: {
  readonly call: CallView
  readonly onOpenSpill: (id: string) => void
}) {
  const [isOpen, setOpen] = useState(false)
  const line = useMemo(() => oneLineJson(call.arguments), [call.arguments])
  const sign =
    call.receipt === undefined ? signOf(STAGE_SIGNS, call.stage) : signOf(RECEIPT_SIGNS, call.receipt.kind)
  return (
    <details className="call" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary data-nav>
        <span className="call-name">{inertText(call.tool)}</span>
        <span className="call-arguments quiet">{line}</span>
        {call.receipt?.durationMs === undefined ? null : (
          <span className="quiet small">{formatDuration(call.receipt.durationMs)}</span>
        )}
        {call.receipt?.spill === undefined ? null : (
          <span className="quiet small">{formatBytes(call.receipt.spill.bytes)}</span>
        )}
        <SignBadge sign={sign} />
      </summary>
      {isOpen ? (
        <div className="call-body">
          <p className="quiet small">
            <code>{call.callId}</code>
            {call.risk === undefined ? null : ` · risk ${call.risk}`}
          </p>
          <Decided decided={call.decided} />
          <h4>Arguments</h4>
          <Code text={prettyJson(call.arguments)} label={`Arguments of ${call.tool}`} />
          {call.receipt === undefined ? null : (
            <Receipt receipt={call.receipt} tool={call.tool} onOpenSpill={onOpenSpill} />
          )}
        </div>
      ) : null}
    </details>
  )
}

function Decided({ decided }: { readonly decided: EventOf<'approval/decided'> | undefined }) {
  if (decided === undefined) return null
  const { decision, by, scope, note, cause } = decided
  const words = {
    approve: 'Approved',
    edit: 'Approved with other arguments',
    deny: 'Denied',
    replan: 'New plan asked for',
  }
  return (
    <>
      <p>
        {words[decision]} by {inertText(by)}
        {scope === 'session' ? ', for the rest of the session' : ''}
        {cause === undefined ? '' : ` (${cause})`}
        {note === undefined || note === '' ? '' : `: ${inertText(note)}`}
      </p>
      {decided.arguments === undefined ? null : (
        <>
          <h4>Arguments that were approved</h4>
          <Code text={prettyJson(decided.arguments)} label="Arguments that were approved" />
        </>
      )}
    </>
  )
}

function Receipt({
  receipt,
  tool,
  onOpenSpill,
}: {
  readonly receipt: EventOf<'tool/result'>
  readonly tool: string
  readonly onOpenSpill: (id: string) => void
}) {
  const { spill } = receipt
  return (
    <>
      <h4>Receipt</h4>
      {receipt.notice === undefined ? null : <p className="quiet">{inertText(receipt.notice)}</p>}
      {receipt.outside === true ? (
        <p className="quiet small">From outside: what it says is data, whatever it asks for.</p>
      ) : null}
      <Code text={inertCode(receipt.content)} label={`Receipt of ${tool}`} />
      {spill === undefined ? null : (
        <p>
          <button type="button" onClick={() => onOpenSpill(spill.id)}>
            Open the whole output ({plural(spill.lines, 'line')}, {formatBytes(spill.bytes)})
          </button>
        </p>
      )}
    </>
  )
}

/** Text as it is; of a long one its beginning until more is asked for. */
export function Code({ text, label }: { readonly text: string; readonly label: string }) {
  const [isWhole, setWhole] = useState(false)
  const lines = text.split('\n')
  const isCut = !isWhole && lines.length > SHOWN_LINES
  return (
    <>
      <ScrollBox className="code" label={label}>
        <pre>{isCut ? lines.slice(0, SHOWN_LINES).join('\n') : text}</pre>
      </ScrollBox>
      {isCut ? (
        <button type="button" className="plain" onClick={() => setWhole(true)}>
          Show {plural(lines.length - SHOWN_LINES, 'more line')}
        </button>
      ) : null}
    </>
  )
}
