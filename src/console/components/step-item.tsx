import { memo, useDeferredValue } from 'react'
import { formatCost, formatCount, formatDuration } from '../view/format.ts'
import { inertText } from '../view/inert-text.ts'
import type { LiveMessage } from '../view/live-message.ts'
import { markdownBlocks } from '../view/markdown-blocks.ts'
import type { StepView } from '../view/step-view.ts'
import { CallItem } from './call-item.tsx'
import { InputItem } from './input-item.tsx'
import { Markdown } from './markdown.tsx'

export interface StepItemProps {
  readonly step: StepView
  readonly live: LiveMessage | undefined
  /** Micro-USD; undefined where it is not known. */
  readonly cost: number | undefined
  readonly onOpenSpill: (id: string) => void
}

export const StepItem = memo(function StepItem({ step, live, cost, onOpenSpill }: StepItemProps) {
  return (
    <li className={step.endedAt === undefined ? 'step step-open' : 'step'}>
      <h3 className="step-head" data-nav tabIndex={-1}>
        <span className="step-name">Step {step.step}</span>
        <span className="quiet small">{measuresOf(step, cost)}</span>
      </h3>
      {step.steers.map((input) => (
        <InputItem key={input.inputId} input={input} />
      ))}
      <Message step={step} />
      {live === undefined ? null : <LiveText live={live} />}
      {step.calls.map((call) => (
        <CallItem key={call.callId} call={call} onOpenSpill={onOpenSpill} />
      ))}
      {step.notes.map((note) => (
        <p
          key={`${note.at} ${note.text}`}
          className={note.tone === 'warning' ? 'note tone-warning' : 'note quiet'}
        >
          <span aria-hidden="true">{note.tone === 'warning' ? '! ' : '· '}</span>
          {inertText(note.text)}
        </p>
      ))}
    </li>
  )
})

function Message({ step: { message } }: { readonly step: StepView }) {
  if (message === undefined) return null
  return (
    <>
      {message.reasoning === undefined || message.reasoning.text.trim() === '' ? null : (
        <details className="reasoning">
          <summary data-nav>Reasoning</summary>
          <div className="plain-text quiet">{inertText(message.reasoning.text)}</div>
        </details>
      )}
      {message.text.trim() === '' ? null : <Markdown text={message.text} />}
      {message.interrupted === true ? (
        <p className="note quiet">■ This message was interrupted here.</p>
      ) : null}
      {message.finish === 'length' ? (
        <p className="note tone-warning">✂ The answer was cut off here.</p>
      ) : null}
    </>
  )
}

/** What a model is writing. Its Turn's phase is announced, not each piece. */
function LiveText({ live }: { readonly live: LiveMessage }) {
  const text = useDeferredValue(live.text)
  return (
    <div className="live" data-testid="live">
      {live.restarted === true && live.text === '' ? (
        <p className="note quiet">↻ Attempt {live.attempt} starts over.</p>
      ) : null}
      {live.reasoning === '' || live.text !== '' ? null : (
        <div className="plain-text quiet reasoning-live">{inertText(live.reasoning)}</div>
      )}
      {markdownBlocks(text).map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only added at the end.
        <Markdown key={index} text={block} />
      ))}
      {live.calls.map((tool, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: calls are only added at the end.
        <p key={index} className="note quiet">
          → {inertText(tool)} …
        </p>
      ))}
      <span className="cursor" aria-hidden="true" />
    </div>
  )
}

function measuresOf({ startedAt, endedAt, usage }: StepView, cost: number | undefined): string {
  const { inputTokens, outputTokens, estimated } = usage
  const parts = [
    ...(endedAt === undefined ? [] : [formatDuration(Date.parse(endedAt) - Date.parse(startedAt))]),
    ...(inputTokens + outputTokens === 0
      ? []
      : [
          `${estimated === true ? '~' : ''}${formatCount(inputTokens)} in · ${formatCount(outputTokens)} out`,
        ]),
    ...(cost === undefined || inputTokens + outputTokens === 0 ? [] : [formatCost(cost)]),
  ]
  return parts.join(' · ')
}
