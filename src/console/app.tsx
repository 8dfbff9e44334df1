import { useCallback, useEffect, useRef, useState } from 'react'
import type { AgentDescription, ConsoleConfig } from './api/answers.ts'
import { listAgents, readConfig } from './api/calls.ts'
import { giveKey } from './api/credentials.ts'
import { HelpDialog } from './components/help-dialog.tsx'
import { ProblemNotice } from './components/problem-notice.tsx'
import { SessionList } from './components/session-list.tsx'
import { SessionPage, type SessionPageHandle } from './components/session-page.tsx'
import { SignIn } from './components/sign-in.tsx'
import { useNow } from './hooks/use-now.ts'
import { useRoute } from './hooks/use-route.ts'
import { useSessions } from './hooks/use-sessions.ts'
import { moveFocus, useShortcuts } from './hooks/use-shortcuts.ts'
import { useStored } from './hooks/use-stored.ts'
import { useTheme } from './hooks/use-theme.ts'
import { newSessionId } from './view/new-ids.ts'
import type { ActionName } from './view/shortcuts.ts'

export function App() {
  const { place, go } = useRoute()
  const { session } = place
  const { theme, next: nextTheme } = useTheme()
  const { config, agents } = useInstallation()
  const list = useSessions()
  const now = useNow()
  const [isHelpOpen, setHelpOpen] = useState(false)
  const [shortcuts, setShortcuts] = useStored('turnstep-shortcuts', 'on')
  const page = useRef<SessionPageHandle>(null)

  const create = useCallback(
    (agent: string | undefined) =>
      go({ session: newSessionId(new Date()), fresh: agent === undefined ? {} : { agent } }),
    [go],
  )

  useShortcuts(shortcuts === 'on', (action) =>
    perform(action, {
      page: page.current,
      help: () => setHelpOpen(true),
      create: () => create(undefined),
      nextTheme,
    }),
  )

  return (
    <div
      className={session === undefined || list.problem?.status === 401 ? 'app app-list' : 'app app-session'}
    >
      <header className="top">
        <a
          className="brand"
          href="/"
          onClick={(event) => {
            event.preventDefault()
            go({ session: undefined })
          }}
        >
          turnstep
        </a>
        <span className="top-about quiet small">
          {config === undefined ? '' : `${config.tenant} · ${config.namespace}`}
        </span>
        <button type="button" className="plain" onClick={nextTheme}>
          Colours: {theme}
        </button>
        <button type="button" className="plain" onClick={() => setHelpOpen(true)}>
          Keyboard <kbd>?</kbd>
        </button>
      </header>
      <div className="sidebar">
        {list.problem?.status === 401 ? (
          <SignIn
            problem={list.problem}
            onKey={(key) => {
              giveKey(key)
              window.location.reload()
            }}
          />
        ) : (
          <ProblemNotice problem={list.problem} />
        )}
        <SessionList
          sessions={list.sessions}
          agents={agents}
          open={session}
          now={now}
          onOpen={(id) => go({ session: id })}
          onCreate={create}
          onMore={list.more}
        />
      </div>
      {session === undefined ? (
        <Welcome />
      ) : (
        <SessionPage
          key={session}
          ref={page}
          session={session}
          title={list.sessions?.find(({ sessionId }) => sessionId === session)?.metadata?.['title']}
          fresh={place.fresh !== undefined}
          config={config}
          agents={agents}
          onMoved={list.refresh}
        />
      )}
      {isHelpOpen ? (
        <HelpDialog
          areShortcutsOn={shortcuts === 'on'}
          onSwitch={(areOn) => setShortcuts(areOn ? 'on' : 'off')}
          onClose={() => setHelpOpen(false)}
        />
      ) : null}
    </div>
  )
}

function Welcome() {
  useEffect(() => {
    document.title = 'turnstep'
  }, [])
  return (
    <main className="welcome">
      <h1>Sessions</h1>
      <p className="quiet">
        Open a session, or begin a new one (<kbd>n</kbd>). <kbd>?</kbd> shows what the keyboard does.
      </p>
    </main>
  )
}

interface Performers {
  readonly page: SessionPageHandle | null
  readonly help: () => void
  readonly create: () => void
  readonly nextTheme: () => void
}

/** False when there is nothing to do: the key is the browser's then. */
function perform(action: ActionName, { page, help, create, nextTheme }: Performers): boolean | undefined {
  switch (action) {
    case 'help':
      help()
      return true
    case 'write':
      if (page === null) create()
      else page.write()
      return true
    case 'next':
      moveFocus(1)
      return true
    case 'previous':
      moveFocus(-1)
      return true
    case 'toggle':
      return toggleFocused()
    case 'approval':
      page?.goToApproval()
      return true
    case 'stop':
      return page?.stop('now') ?? false
    case 'stop-after-step':
      return page?.stop('after-step') ?? false
    case 'new-session':
      create()
      return true
    case 'sessions':
      document.querySelector<HTMLElement>('.sessions a, .sessions button')?.focus()
      return true
    case 'theme':
      nextTheme()
      return true
    case 'leave':
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
      return false
  }
}

function toggleFocused(): boolean {
  const focused = document.activeElement
  if (!(focused instanceof HTMLElement) || focused.tagName !== 'SUMMARY') return false
  focused.click()
  return true
}

function useInstallation(): {
  readonly config: ConsoleConfig | undefined
  readonly agents: readonly AgentDescription[]
} {
  const [config, setConfig] = useState<ConsoleConfig>()
  const [agents, setAgents] = useState<readonly AgentDescription[]>([])
  useEffect(() => {
    // Without them the page does without links to Temporal and without limits.
    readConfig().then(setConfig, () => undefined)
    listAgents().then(setAgents, () => undefined)
  }, [])
  return { config, agents }
}
