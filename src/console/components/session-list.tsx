import type { AgentDescription, SessionSummary } from '../api/answers.ts'
import { formatAge } from '../view/format.ts'
import { inertText } from '../view/inert-text.ts'
import { shownTitle } from '../view/session-title.ts'
import { SESSION_SIGNS, signOf } from '../view/words.ts'
import { NewSession } from './new-session.tsx'
import { SignBadge } from './sign-badge.tsx'

export interface SessionListProps {
  readonly sessions: readonly SessionSummary[] | undefined
  readonly agents: readonly AgentDescription[]
  readonly open: string | undefined
  readonly now: number
  readonly onOpen: (session: string) => void
  readonly onCreate: (agent: string | undefined) => void
  readonly onMore: (() => void) | undefined
}

/** The Sessions, those that changed last first. */
export function SessionList({ sessions, agents, open, now, onOpen, onCreate, onMore }: SessionListProps) {
  return (
    <nav className="sessions" aria-label="Sessions">
      <NewSession agents={agents} onCreate={onCreate} />
      {sessions?.length === 0 ? <p className="quiet">No session yet.</p> : null}
      <ul>
        {(sessions ?? []).map((session) => (
          <li key={session.sessionId}>
            <a
              href={`/sessions/${encodeURIComponent(session.sessionId)}`}
              aria-current={session.sessionId === open ? 'page' : undefined}
              onClick={(event) => {
                if (event.ctrlKey || event.metaKey || event.shiftKey) return
                event.preventDefault()
                onOpen(session.sessionId)
              }}
            >
              <span className="session-name">
                {inertText(shownTitle(session.metadata?.['title'], session.sessionId))}
              </span>
              <span className="session-about">
                <SignBadge sign={signOf(SESSION_SIGNS, session.phase)} />
                <span className="quiet small">
                  {session.agent === undefined ? '' : `${inertText(session.agent)} · `}
                  {session.changedAt === undefined ? '' : formatAge(session.changedAt, now)}
                </span>
              </span>
            </a>
          </li>
        ))}
      </ul>
      {onMore === undefined ? null : (
        <button type="button" className="plain" onClick={onMore}>
          Show more
        </button>
      )}
    </nav>
  )
}
