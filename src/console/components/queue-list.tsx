import { inertText } from '../view/inert-text.ts'
import type { QueuedView } from '../view/queue.ts'

const LANES = { 'next-step': 'joins the next Step', 'next-turn': 'opens the next Turn' } as const
const STATES = { sending: 'being sent', queued: 'waits', failed: 'not sent' } as const

/** Inputs that wait, each of which can be taken back. */
export function QueueList({
  queue,
  onWithdraw,
  onResend,
  onDiscard,
}: {
  readonly queue: readonly QueuedView[]
  readonly onWithdraw: (id: string) => void
  readonly onResend: (input: QueuedView) => void
  readonly onDiscard: (id: string) => void
}) {
  if (queue.length === 0) return null
  return (
    <section className="queue" aria-label="Queued inputs">
      <h2 className="small">Queue</h2>
      <ul>
        {queue.map((input) => (
          <li key={input.id} className="queued" data-nav tabIndex={-1}>
            <span className="badge tone-quiet">
              <span className="badge-icon" aria-hidden="true">
                {input.lane === 'next-step' ? '↪' : '→'}
              </span>
              {STATES[input.state]}, {LANES[input.lane]}
            </span>
            <span className="queued-text" dir="auto">
              {input.text === '' ? input.id : inertText(input.text)}
            </span>
            {input.state === 'queued' ? (
              <button type="button" className="plain" onClick={() => onWithdraw(input.id)}>
                Withdraw
              </button>
            ) : null}
            {input.state === 'failed' ? (
              <>
                <button type="button" className="plain" onClick={() => onResend(input)}>
                  Send again
                </button>
                <button type="button" className="plain" onClick={() => onDiscard(input.id)}>
                  Discard
                </button>
              </>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  )
}
