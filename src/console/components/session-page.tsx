import { type Ref, useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react'
import type { AgentDescription, ConsoleConfig } from '../api/answers.ts'
import { useAction } from '../hooks/use-action.ts'
import { useBeginning } from '../hooks/use-beginning.ts'
import { useFollowingScroll } from '../hooks/use-following-scroll.ts'
import { useNow } from '../hooks/use-now.ts'
import { useSession } from '../hooks/use-session.ts'
import { useSessionActions } from '../hooks/use-session-actions.ts'
import { announcementOf } from '../view/announcement.ts'
import { inertText } from '../view/inert-text.ts'
import { queueOf } from '../view/queue.ts'
import { lastTurn, settledInputs } from '../view/session-log.ts'
import { type Connection, isMissing, pendingText } from '../view/session-state.ts'
import { shownTitle } from '../view/session-title.ts'
import { turnViewOf } from '../view/turn-view.ts'
import { waitingOf } from '../view/waiting.ts'
import { ApprovalCard } from './approval-card.tsx'
import { ClientCallCard } from './client-call.tsx'
import { Composer, type ComposerHandle } from './composer.tsx'
import { ConnectionNotice } from './connection-notice.tsx'
import { ProblemNotice } from './problem-notice.tsx'
import { QueueList } from './queue-list.tsx'
import { ScrollBox } from './scroll-box.tsx'
import { SpillDialog } from './spill-dialog.tsx'
import { Timeline } from './timeline.tsx'
import { TurnMeters } from './turn-meters.tsx'

export interface SessionPageHandle {
  write(): void
  stop(mode: 'now' | 'after-step'): boolean
  goToApproval(): void
}

export interface SessionPageProps {
  readonly ref: Ref<SessionPageHandle>
  readonly session: string
  /** What it is called, as the list has it. */
  readonly title: unknown
  /** Whether it is still to begin. */
  readonly fresh: boolean
  readonly config: ConsoleConfig | undefined
  readonly agents: readonly AgentDescription[]
  /** Is told when the Session stands somewhere else than before. */
  readonly onMoved: () => void
}

/** One Session: what happened, what happens, what waits, and where to write. */
export function SessionPage(props: SessionPageProps) {
  const { ref, session, title, fresh, config, agents, onMoved } = props
  const { isFresh, begin } = useBeginning(session, fresh)
  const handle = useSession(session, isFresh)
  const { state, refresh } = handle
  const { log, live, status, sent, connection } = state
  const last = lastTurn(log)
  const turn = useMemo(() => (last === undefined ? undefined : turnViewOf(last)), [last])
  const isRunning = turn !== undefined && turn.end === undefined
  const isAbsent = isMissing(connection)
  const beforeSending = useCallback((text: string) => begin(text, isAbsent), [begin, isAbsent])
  const { send, stop, withdraw, sending, stopping } = useSessionActions(session, handle, {
    turnId: isRunning ? turn.turnId : undefined,
    beforeSending,
  })
  const deciding = useAction()
  const settled = useMemo(() => settledInputs(log), [log])
  const queue = queueOf(
    (status?.pending ?? []).map((input) => ({ id: input.id, lane: input.lane, text: pendingText(input) })),
    sent,
    settled,
  )
  const { approvals, clientCalls } = waitingOf(status, last)
  const now = useNow(isRunning || connection.kind === 'broken')
  const place = `${turn?.turnId} ${turn?.phase}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: told at every change of place.
  useEffect(onMoved, [place, onMoved])
  const [spill, setSpill] = useState<string>()
  const openSpill = useCallback((id: string) => setSpill(id), [])

  const composer = useRef<ComposerHandle>(null)
  const region = useRef<HTMLElement>(null)
  const content = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (fresh) composer.current?.focus()
  }, [fresh])
  const { isAway, toEnd } = useFollowingScroll(region, content)
  // Who has just written something wants to see what comes of it.
  const written = useRef(0)
  useEffect(() => {
    if (sent.length > written.current) toEnd()
    written.current = sent.length
  }, [sent.length, toEnd])
  useEffect(() => {
    document.title = `${approvals.length > 0 ? '(!) ' : ''}${shownTitle(title, session)} · turnstep`
  }, [approvals.length, title, session])
  useImperativeHandle(ref, () => ({
    write: () => composer.current?.focus(),
    stop: (mode) => {
      if (isRunning) stop({ mode })
      return isRunning
    },
    goToApproval: () => {
      const waiting = region.current?.querySelector<HTMLElement>('[data-approval]')
      waiting?.focus()
      waiting?.scrollIntoView({ block: 'nearest' })
    },
  }))

  return (
    <main className="session">
      <header className="session-head">
        <h1>
          {inertText(shownTitle(title, session))}
          {title === undefined ? null : <code className="quiet">{inertText(session)}</code>}
        </h1>
        {turn === undefined ? null : (
          <TurnMeters
            session={session}
            turn={turn}
            now={now}
            limits={agents.find(({ name }) => name === turn.agent)?.limits}
          />
        )}
      </header>
      <p className="unseen" role="status" aria-live="polite">
        {announcementOf({ turn, approvals, connection })}
      </p>
      <ConnectionNotice connection={connection} now={now} onRetry={refresh} />
      <ScrollBox className="scroll" ref={region} label="Timeline">
        <div ref={content}>
          {log.items.length === 0 && queue.length === 0 ? <Emptiness connection={connection} /> : null}
          <Timeline session={session} log={log} live={live} config={config} onOpenSpill={openSpill} />
          {approvals.map((approval) => (
            <ApprovalCard
              key={approval.callId}
              {...{ session, approval, now, deciding }}
              onDecided={() => {
                region.current?.focus()
                refresh()
              }}
            />
          ))}
          {clientCalls.map((call) => (
            <ClientCallCard key={call.callId} call={call} now={now} />
          ))}
        </div>
      </ScrollBox>
      <footer className="session-foot">
        {isAway ? (
          <button type="button" className="to-end" onClick={toEnd}>
            ↓ Newest
          </button>
        ) : null}
        <ProblemNotice problem={sending.problem} onDismiss={sending.dismiss} />
        <ProblemNotice problem={deciding.problem} onDismiss={deciding.dismiss} />
        <ProblemNotice problem={stopping.problem} onDismiss={stopping.dismiss} />
        {isRunning && status !== undefined && status.pending === undefined ? (
          <p className="quiet small">No worker answers just now, so what waits in the queue is not known.</p>
        ) : null}
        <QueueList
          queue={queue}
          onWithdraw={(id) => {
            composer.current?.focus()
            withdraw(id)
          }}
          onResend={({ text, lane, id }) => void send(text, lane, id)}
          onDiscard={(id) => handle.change({ kind: 'discarded', id })}
        />
        <Composer
          ref={composer}
          session={session}
          isRunning={isRunning}
          onSend={(text, lane) => void send(text, lane)}
          onStop={(options) => {
            composer.current?.focus()
            stop(options)
          }}
          isStopping={stopping.isRunning}
        />
      </footer>
      {spill === undefined ? null : (
        <SpillDialog session={session} id={spill} onClose={() => setSpill(undefined)} />
      )}
    </main>
  )
}

function Emptiness({ connection }: { readonly connection: Connection }) {
  if (isMissing(connection))
    return <p className="quiet empty">There is no such session yet. Write a message to begin it.</p>
  return connection.kind === 'open' ? (
    <p className="quiet empty">Nothing was said yet. Write a message to begin.</p>
  ) : null
}
