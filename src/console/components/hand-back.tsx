import type { EventOf } from '../../core/event.ts'
import { inertText } from '../view/inert-text.ts'
import { END_SIGNS, signOf } from '../view/words.ts'

/** What a Turn that could not finish leaves: what was done, what blocks it, how to go on. */
export function HandBack({ end }: { readonly end: EventOf<'turn/end'> }) {
  const { handBack, reason, code } = end
  if (handBack === undefined) return null
  const sign = signOf(END_SIGNS, reason)
  return (
    <section className={`hand-back tone-${sign.tone}`} aria-label="Hand-back">
      <p className="hand-back-title">
        <span aria-hidden="true">{sign.icon} </span>
        Handed back to you: {sign.word}
        {code === undefined ? null : <code className="quiet"> {code}</code>}
      </p>
      <dl>
        <dt>Done</dt>
        <dd>
          {handBack.done.length === 0 ? (
            'Nothing yet.'
          ) : (
            <ul>
              {handBack.done.map((line) => (
                <li key={line}>{inertText(line)}</li>
              ))}
            </ul>
          )}
        </dd>
        <dt>Why</dt>
        <dd>{inertText(handBack.blockedBy)}</dd>
        <dt>Next</dt>
        <dd>{inertText(handBack.next)}</dd>
      </dl>
    </section>
  )
}
