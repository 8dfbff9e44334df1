import { useState } from 'react'
import type { ConsoleConfig } from '../api/answers.ts'
import { plural } from '../view/format.ts'
import { inputViewOf } from '../view/input-view.ts'
import type { LiveMessage } from '../view/live-message.ts'
import { keyOf, type SessionLog } from '../view/session-log.ts'
import { Fallback } from './fallback.tsx'
import { InputItem } from './input-item.tsx'
import { TurnCard } from './turn-card.tsx'

/** Turns that are shown at first, and those of them that are open until somebody closes them. */
const SHOWN = 20
const OPEN = 2

export interface TimelineProps {
  readonly session: string
  readonly log: SessionLog
  readonly live: LiveMessage | undefined
  readonly config: ConsoleConfig | undefined
  readonly onOpenSpill: (id: string) => void
}

/** The Session's Turns, the newest last; of a long Session the end, until more is asked for. */
export function Timeline({ session, log, live, config, onOpenSpill }: TimelineProps) {
  const [more, setMore] = useState(0)
  const first = Math.max(0, log.items.length - SHOWN - more)
  return (
    <div className="timeline">
      {first === 0 ? null : (
        <button type="button" className="plain earlier" onClick={() => setMore(more + SHOWN)}>
          Show {plural(Math.min(first, SHOWN), 'earlier Turn')} of {first}
        </button>
      )}
      {log.items.slice(first).map((item, index, shown) =>
        item.kind === 'turn' ? (
          <Fallback key={keyOf(item)} instead={<p className="note">Turn {item.turn} cannot be shown.</p>}>
            <TurnCard
              session={session}
              log={item}
              live={live?.turnId === item.turnId ? live : undefined}
              config={config}
              isRecent={index >= shown.length - OPEN}
              onOpenSpill={onOpenSpill}
            />
          </Fallback>
        ) : (
          <InputItem key={keyOf(item)} input={inputViewOf(item.event)} />
        ),
      )}
    </div>
  )
}
