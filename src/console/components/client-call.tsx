import type { ClientCall } from '../api/answers.ts'
import { remainingText } from '../view/approval-words.ts'
import { inertText, prettyJson } from '../view/inert-text.ts'
import { Code } from './call-item.tsx'

/** A call that whoever talks to the agent runs; the console only shows it. */
export function ClientCallCard({ call, now }: { readonly call: ClientCall; readonly now: number }) {
  return (
    <section
      className="approval client-call"
      aria-label={`Call of ${call.tool} for the client`}
      data-nav
      tabIndex={-1}
    >
      <h3>
        <span aria-hidden="true">⇄ </span>
        {inertText(call.tool)} waits for the application that runs it
      </h3>
      <p className="quiet small">
        {remainingText(call.expiresAt, now)} · its result goes to <code>/calls/{call.callId}/result</code>
      </p>
      <Code text={prettyJson(call.arguments)} label="Arguments" />
    </section>
  )
}
