import { formatTime } from '../view/format.ts'
import { inertText } from '../view/inert-text.ts'
import type { InputView } from '../view/input-view.ts'
import { REFUSALS } from '../view/words.ts'

/** What somebody wrote, and what became of it. */
export function InputItem({ input }: { readonly input: InputView }) {
  return (
    <div className={`input input-${input.fate.kind}`}>
      <p className="input-head quiet">
        <span>{input.author === undefined ? whoOf(input) : inertText(input.author)}</span>
        <span className="fate">{fateOf(input)}</span>
        <time dateTime={input.at}>{formatTime(input.at, Date.now())}</time>
      </p>
      {input.text === '' ? null : (
        <div className="plain-text" dir="auto">
          {inertText(input.text)}
        </div>
      )}
      {input.judged === undefined ? null : (
        <p className="tone-warning small">
          <span aria-hidden="true">⊘ </span>
          {inertText(input.judged)}
        </p>
      )}
    </div>
  )
}

function whoOf({ fate }: InputView): string {
  if (fate.kind !== 'claimed' || fate.origin === 'user') return 'You'
  return fate.origin === 'system' ? 'System' : 'Tool'
}

function fateOf({ fate }: InputView): string {
  switch (fate.kind) {
    case 'claimed':
      return fate.via === 'steer' ? '↪ steered' : '→ sent'
    case 'withdrawn':
      return '⊖ withdrawn, no model saw it'
    case 'refused':
      return `✗ refused: ${REFUSALS[fate.reason] ?? fate.reason}`
  }
}
