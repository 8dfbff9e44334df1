import { type KeyboardEvent, type Ref, useImperativeHandle, useRef } from 'react'
import type { InputLane } from '../api/answers.ts'
import type { StopOptions } from '../api/calls.ts'
import { useDraft } from '../hooks/use-draft.ts'

export interface ComposerHandle {
  focus(): void
}

export interface ComposerProps {
  readonly ref: Ref<ComposerHandle>
  readonly session: string
  /** Whether a Turn runs, which a message can steer. */
  readonly isRunning: boolean
  readonly onSend: (text: string, lane: InputLane) => void
  readonly onStop: (options: StopOptions) => void
  readonly isStopping: boolean
}

/** Where messages are written, and Turns are stopped. */
export function Composer({ ref, session, isRunning, onSend, onStop, isStopping }: ComposerProps) {
  const [text, setText] = useDraft(session)
  const field = useRef<HTMLTextAreaElement>(null)
  useImperativeHandle(ref, () => ({ focus: () => field.current?.focus() }), [])
  const isEmpty = text.trim() === ''

  const send = (lane: InputLane): void => {
    if (isEmpty) return
    setText('')
    onSend(text, lane)
  }
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    const isOther = event.ctrlKey || event.metaKey
    send(isRunning !== isOther ? 'next-step' : 'next-turn')
  }

  return (
    <form
      className="composer"
      aria-label="Message"
      onSubmit={(event) => {
        event.preventDefault()
        send(isRunning ? 'next-step' : 'next-turn')
      }}
    >
      <textarea
        ref={field}
        value={text}
        rows={Math.min(10, Math.max(2, text.split('\n').length))}
        aria-label="Message to the agent"
        aria-describedby="composer-hint"
        placeholder={isRunning ? 'Steer the running Turn …' : 'Write a message …'}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={press}
      />
      <div className="composer-actions">
        {isRunning ? (
          <>
            <button type="submit" className="primary" disabled={isEmpty}>
              Steer
            </button>
            <button type="button" disabled={isEmpty} onClick={() => send('next-turn')}>
              Send as next Turn
            </button>
          </>
        ) : (
          <button type="submit" className="primary" disabled={isEmpty}>
            Send
          </button>
        )}
        <span id="composer-hint" className="quiet small hint">
          {isRunning ? 'Enter steers, Ctrl+Enter sends' : 'Enter sends, Shift+Enter begins a line'}
        </span>
        {isRunning ? (
          <fieldset className="stops">
            <legend className="unseen">Stop the Turn</legend>
            {isStopping ? <span className="quiet small">Stopping …</span> : null}
            <button type="button" className="danger" onClick={() => onStop({ mode: 'now' })}>
              ■ Stop
            </button>
            <button type="button" onClick={() => onStop({ mode: 'after-step' })}>
              Stop after this Step
            </button>
            <button type="button" onClick={() => onStop({ mode: 'now', queue: 'run' })}>
              Stop and run queue
            </button>
          </fieldset>
        ) : null}
      </div>
    </form>
  )
}
