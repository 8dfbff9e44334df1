import type { Sign } from '../view/words.ts'

/** A state by sign, word and colour. */
export function SignBadge({ sign, label }: { readonly sign: Sign; readonly label?: string }) {
  return (
    <span className={`badge tone-${sign.tone}`}>
      <span className="badge-icon" aria-hidden="true">
        {sign.icon}
      </span>
      {label ?? sign.word}
    </span>
  )
}
