import { inertCode } from '../view/inert-text.ts'
import { diffSize, parseDiff } from '../view/parse-diff.ts'
import { ScrollBox } from './scroll-box.tsx'

const SIGNS = { add: '+', remove: '−', same: ' ', hunk: '', file: '' } as const
const WORDS = { add: 'added: ', remove: 'removed: ', same: '', hunk: '', file: '' } as const

/** A unified diff. */
export function DiffView({ path, diff }: { readonly path: string; readonly diff: string }) {
  const all = parseDiff(inertCode(diff))
  // What stands before the first hunk names the file, which the caption does.
  const lines = all.slice(
    Math.max(
      0,
      all.findIndex(({ kind }) => kind === 'hunk'),
    ),
  )
  const { added, removed } = diffSize(lines)
  return (
    <figure className="diff">
      <figcaption>
        <code>{inertCode(path)}</code>{' '}
        <span className="quiet">
          +{added} −{removed}
        </span>
      </figcaption>
      <ScrollBox className="diff-lines" label={`Changes of ${inertCode(path)}`}>
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of one diff never move.
          <div key={index} className={`diff-line diff-${line.kind}`}>
            <span className="gutter" aria-hidden="true">
              {line.before ?? ''}
            </span>
            <span className="gutter" aria-hidden="true">
              {line.after ?? ''}
            </span>
            <span className="diff-sign" aria-hidden="true">
              {SIGNS[line.kind]}
            </span>
            <span className="unseen">{WORDS[line.kind]}</span>
            <code>{line.text === '' ? ' ' : line.text}</code>
          </div>
        ))}
      </ScrollBox>
    </figure>
  )
}
