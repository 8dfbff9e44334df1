import { useState } from 'react'
import type { PendingApproval } from '../api/answers.ts'
import { type Decision, decide } from '../api/calls.ts'
import type { Action } from '../hooks/use-action.ts'
import { isObjectJson, remainingText, subjectOf } from '../view/approval-words.ts'
import { inertCode, inertText, prettyJson } from '../view/inert-text.ts'
import { Code } from './call-item.tsx'
import { DiffView } from './diff-view.tsx'

type Form = 'edit' | 'deny' | 'replan'

export interface ApprovalCardProps {
  readonly session: string
  readonly approval: PendingApproval
  readonly now: number
  /** Of the page, because what goes wrong must be seen when nothing waits any more, too. */
  readonly deciding: Action
  readonly onDecided: () => void
}

/** What waits for a human: what would be done, until when, and what can be decided. */
export function ApprovalCard({ session, approval, now, deciding, onDecided }: ApprovalCardProps) {
  const [form, setForm] = useState<Form>()
  const { run, isRunning } = deciding
  const { callId, argumentsDigest, expiresAt } = approval
  const isCall = approval.kind !== 'text'
  const send = async (decision: Omit<Decision, 'argumentsDigest'>): Promise<void> => {
    const isDone = await run(() => decide(session, callId, { ...decision, argumentsDigest }))
    if (isDone) setForm(undefined)
    onDecided()
  }
  const titleId = `approval-${callId}`
  return (
    <section className="approval" aria-labelledby={titleId} data-nav data-approval tabIndex={-1}>
      <h3 id={titleId}>
        <span aria-hidden="true">! </span>
        {inertCode(subjectOf(approval))}
      </h3>
      <p className="quiet small">
        {isCall ? `Risk ${approval.risk} · ` : ''}
        <span data-testid="expiry">{remainingText(expiresAt, now)}</span> · <code>{callId}</code>
      </p>
      <Subject approval={approval} />
      <div className="approval-actions">
        <button
          type="button"
          className="primary"
          disabled={isRunning}
          onClick={() => void send({ decision: 'approve' })}
        >
          Approve
        </button>
        {isCall ? (
          <button
            type="button"
            disabled={isRunning}
            onClick={() => void send({ decision: 'approve', scope: 'session' })}
          >
            Approve for the session
          </button>
        ) : null}
        <Opener form="edit" label="Edit …" {...{ now: form, setForm }} />
        <Opener form="deny" label="Deny …" {...{ now: form, setForm }} />
        <Opener form="replan" label="Replan …" {...{ now: form, setForm }} />
      </div>
      {form === 'edit' ? <EditForm approval={approval} isRunning={isRunning} onSend={send} /> : null}
      {form === 'deny' || form === 'replan' ? (
        <NoteForm key={form} form={form} isRunning={isRunning} onSend={send} />
      ) : null}
    </section>
  )
}

function Opener({
  form,
  label,
  now,
  setForm,
}: {
  readonly form: Form
  readonly label: string
  readonly now: Form | undefined
  readonly setForm: (form: Form | undefined) => void
}) {
  return (
    <button
      type="button"
      aria-expanded={now === form}
      onClick={() => setForm(now === form ? undefined : form)}
    >
      {label}
    </button>
  )
}

/** A text is shown as it is, not laid out: what a layout leaves out would be approved unseen. */
function Subject({ approval }: { readonly approval: PendingApproval }) {
  if (approval.kind === 'text')
    return (
      <>
        <p>
          Guardrail <code>{inertText(approval.guardrail)}</code>: {inertText(approval.reason)}
        </p>
        <div className="held-text">
          <Code text={inertCode(approval.text)} label="The text" />
        </div>
      </>
    )
  const { preview } = approval
  return (
    <>
      {preview === undefined ? null : <DiffView path={preview.path} diff={preview.diff} />}
      {preview === undefined ? (
        <Code text={prettyJson(approval.arguments)} label="Arguments" />
      ) : (
        <details className="arguments">
          <summary>Arguments</summary>
          <Code text={prettyJson(approval.arguments)} label="Arguments" />
        </details>
      )}
    </>
  )
}

type Send = (decision: Omit<Decision, 'argumentsDigest'>) => Promise<void>

function EditForm({
  approval,
  isRunning,
  onSend,
}: {
  readonly approval: PendingApproval
  readonly isRunning: boolean
  readonly onSend: Send
}) {
  const isText = approval.kind === 'text'
  const [text, setText] = useState(isText ? approval.text : prettyJson(approval.arguments))
  const isFit = isText ? text.trim() !== '' : isObjectJson(text)
  const submit = (): Promise<void> =>
    onSend(
      isText
        ? { decision: 'edit', text }
        : { decision: 'edit', arguments: JSON.parse(text) as Readonly<Record<string, unknown>> },
    )
  return (
    <form
      className="approval-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (isFit) void submit()
      }}
    >
      <label>
        {isText ? 'What is shown instead' : 'Arguments that run instead, as JSON'}
        <textarea
          className="mono"
          value={text}
          rows={Math.min(16, Math.max(3, text.split('\n').length))}
          aria-invalid={!isFit}
          spellCheck={isText}
          // biome-ignore lint/a11y/noAutofocus: the person has just opened it in order to write.
          autoFocus
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      {isFit ? null : (
        <p className="tone-bad small">✗ {isText ? 'It is empty.' : 'This is not a JSON object.'}</p>
      )}
      <button type="submit" className="primary" disabled={!isFit || isRunning}>
        {isText ? 'Approve this text' : 'Approve with these arguments'}
      </button>
    </form>
  )
}

function NoteForm({
  form,
  isRunning,
  onSend,
}: {
  readonly form: 'deny' | 'replan'
  readonly isRunning: boolean
  readonly onSend: Send
}) {
  const [note, setNote] = useState('')
  return (
    <form
      className="approval-form"
      onSubmit={(event) => {
        event.preventDefault()
        void onSend({ decision: form, ...(note.trim() === '' ? {} : { note }) })
      }}
    >
      <label>
        {form === 'deny'
          ? 'Why, for the model (may be empty)'
          : 'What the new plan should heed (may be empty)'}
        <textarea
          value={note}
          rows={2}
          // biome-ignore lint/a11y/noAutofocus: the person has just opened it in order to write.
          autoFocus
          onChange={(event) => setNote(event.target.value)}
        />
      </label>
      <button type="submit" className={form === 'deny' ? 'danger' : 'primary'} disabled={isRunning}>
        {form === 'deny' ? 'Deny' : 'Ask for a new plan'}
      </button>
    </form>
  )
}
