import { memo, useMemo, useState } from 'react'
import type { ConsoleConfig } from '../api/answers.ts'
import { useTurnCosts } from '../hooks/use-turn-costs.ts'
import { formatCost, formatCount, formatDuration, plural } from '../view/format.ts'
import { inertText } from '../view/inert-text.ts'
import type { LiveMessage } from '../view/live-message.ts'
import type { TurnLog } from '../view/session-log.ts'
import { temporalAddressOf } from '../view/temporal-address.ts'
import type { TurnCosts } from '../view/turn-costs.ts'
import { type TurnView, turnViewOf } from '../view/turn-view.ts'
import { END_SIGNS, PHASE_SIGNS, signOf } from '../view/words.ts'
import { HandBack } from './hand-back.tsx'
import { InputItem } from './input-item.tsx'
import { SignBadge } from './sign-badge.tsx'
import { StepItem } from './step-item.tsx'
import { UsageChart } from './usage-chart.tsx'

export interface TurnCardProps {
  readonly session: string
  readonly log: TurnLog
  readonly live: LiveMessage | undefined
  readonly config: ConsoleConfig | undefined
  /** Whether it is open, as long as nobody has opened or closed it. */
  readonly isRecent: boolean
  readonly onOpenSpill: (id: string) => void
}

/** Of a long Turn the newest Steps are shown at first. */
const SHOWN_STEPS = 25

export const TurnCard = memo(function TurnCard(props: TurnCardProps) {
  const { session, log, live, config, isRecent, onOpenSpill } = props
  const view = useMemo(() => turnViewOf(log), [log])
  const [choice, setChoice] = useState<boolean>()
  const isOpen = choice ?? isRecent
  const costs = useTurnCosts(session, view, isOpen)
  return (
    <details
      className="turn"
      open={isOpen}
      onToggle={(event) => {
        const isNow = event.currentTarget.open
        if (isNow !== isOpen) setChoice(isNow)
      }}
      id={`turn-${view.turn}`}
    >
      <summary data-nav className="turn-head">
        <h2>Turn {view.turn}</h2>
        <TurnSign view={view} />
        {isOpen ? null : <span className="turn-excerpt">{excerptOf(view)}</span>}
        <span className="quiet small turn-measures">{measuresOf(view, costs.total)}</span>
      </summary>
      {isOpen ? (
        <TurnBody
          {...{ view, live, costs, onOpenSpill }}
          temporal={temporalAddressOf(config, session, view.runId)}
        />
      ) : null}
    </details>
  )
})

function TurnSign({ view }: { readonly view: TurnView }) {
  const sign = view.end === undefined ? signOf(PHASE_SIGNS, view.phase) : signOf(END_SIGNS, view.end.reason)
  return <SignBadge sign={sign} />
}

function TurnBody({
  view,
  live,
  costs,
  temporal,
  onOpenSpill,
}: {
  readonly view: TurnView
  readonly live: LiveMessage | undefined
  readonly costs: TurnCosts
  readonly temporal: string | undefined
  readonly onOpenSpill: (id: string) => void
}) {
  const [shown, setShown] = useState(SHOWN_STEPS)
  const hidden = Math.max(0, view.steps.length - shown)
  return (
    <div className="turn-body">
      {view.opening.map((input) => (
        <InputItem key={input.inputId} input={input} />
      ))}
      {hidden === 0 ? null : (
        <button type="button" className="plain" onClick={() => setShown(shown + SHOWN_STEPS)}>
          Show {plural(Math.min(hidden, SHOWN_STEPS), 'earlier Step')} of {hidden}
        </button>
      )}
      <ol className="steps">
        {view.steps.slice(hidden).map((step) => (
          <StepItem
            key={step.step}
            step={step}
            live={live?.turnId === view.turnId && live.step === step.step ? live : undefined}
            cost={costs.bySteps.get(step.step)}
            onOpenSpill={onOpenSpill}
          />
        ))}
      </ol>
      {view.unclaimed.map((input) => (
        <InputItem key={input.inputId} input={input} />
      ))}
      {view.end === undefined ? null : <HandBack end={view.end} />}
      <UsageChart steps={view.steps} costs={costs.bySteps} />
      <p className="turn-foot quiet small">
        <span>
          Agent {inertText(view.agent)} · <code>{view.turnId}</code>
        </span>
        {temporal === undefined ? null : (
          <a href={temporal} target="_blank" rel="noreferrer noopener">
            Turn {view.turn} in Temporal’s UI ↗
          </a>
        )}
      </p>
    </div>
  )
}

function excerptOf(view: TurnView): string {
  return inertText(view.opening[0]?.text ?? '').slice(0, 200)
}

function measuresOf({ startedAt, end, steps, tokens }: TurnView, cost: number | undefined): string {
  const parts = [
    plural(steps.length, 'Step'),
    ...(tokens === 0 ? [] : [`${formatCount(tokens)} tokens`]),
    ...(cost === undefined ? [] : [formatCost(cost)]),
    ...(end === undefined ? [] : [formatDuration(Date.parse(end.at) - Date.parse(startedAt))]),
  ]
  return parts.join(' · ')
}
