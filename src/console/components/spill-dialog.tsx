import { type SubmitEvent, useCallback, useEffect, useRef, useState } from 'react'
import type { SpillMatchesAnswer, SpillPageAnswer } from '../api/answers.ts'
import { readSpill, searchSpill } from '../api/calls.ts'
import { useAction } from '../hooks/use-action.ts'
import { formatBytes, plural } from '../view/format.ts'
import { inertCode } from '../view/inert-text.ts'
import { ProblemNotice } from './problem-notice.tsx'
import { ScrollBox } from './scroll-box.tsx'

const PAGE_LINES = 200

/** A tool's whole output, by lines, with a search. */
export function SpillDialog({
  session,
  id,
  onClose,
}: {
  readonly session: string
  readonly id: string
  readonly onClose: () => void
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [from, setFrom] = useState(1)
  const [page, setPage] = useState<SpillPageAnswer>()
  const [matches, setMatches] = useState<SpillMatchesAnswer>()
  const [pattern, setPattern] = useState('')
  const { run, problem, dismiss } = useAction()

  const open = useCallback(
    (line: number) =>
      run(async () => {
        const next = Math.max(1, line)
        setPage(await readSpill(session, id, { from: next, lines: PAGE_LINES }))
        setFrom(next)
      }),
    [run, session, id],
  )
  useEffect(() => {
    dialog.current?.showModal()
    void open(1)
  }, [open])

  const search = (event: SubmitEvent): void => {
    event.preventDefault()
    if (pattern === '') setMatches(undefined)
    else void run(async () => setMatches(await searchSpill(session, id, pattern)))
  }
  const texts = page === undefined ? [] : page.text.replace(/\n$/, '').split('\n')
  const lines = texts.map((text, index) => ({ number: from + index, text }))
  const total = page?.lines ?? 0
  const found = new Set(matches?.matches.map(({ line }) => line))
  return (
    <dialog ref={dialog} className="spill" aria-labelledby="spill-title" onClose={onClose}>
      <header>
        <h2 id="spill-title">Whole output</h2>
        <span className="quiet small">
          {page === undefined ? '' : `${plural(page.lines, 'line')}, ${formatBytes(page.bytes)}`}
        </span>
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </header>
      <div className="spill-tools">
        <form onSubmit={search} aria-label="Search">
          <input
            type="search"
            value={pattern}
            aria-label="Search by regular expression"
            placeholder="Search (regular expression)"
            onChange={(event) => setPattern(event.target.value)}
          />
          <button type="submit">Search</button>
        </form>
        <span className="spill-pages">
          <button type="button" disabled={from <= 1} onClick={() => void open(from - PAGE_LINES)}>
            Earlier
          </button>
          <span className="small quiet" aria-live="polite">
            {total === 0 ? '' : `lines ${from} to ${from + lines.length - 1} of ${total}`}
          </span>
          <button
            type="button"
            disabled={from + lines.length > total}
            onClick={() => void open(from + lines.length)}
          >
            Later
          </button>
        </span>
      </div>
      <ProblemNotice problem={problem} onDismiss={dismiss} />
      {matches === undefined ? null : <Matches found={matches} onOpen={(line) => void open(line - 3)} />}
      <ScrollBox className="spill-lines" label="Lines">
        {lines.map(({ number, text }) => (
          <div key={number} className={found.has(number) ? 'spill-line spill-line-found' : 'spill-line'}>
            <span className="gutter" aria-hidden="true">
              {number}
            </span>
            <code>{inertCode(text)}</code>
          </div>
        ))}
      </ScrollBox>
    </dialog>
  )
}

function Matches({
  found,
  onOpen,
}: {
  readonly found: SpillMatchesAnswer
  readonly onOpen: (line: number) => void
}) {
  return (
    <section className="spill-matches" aria-label="Matches">
      <p className="small quiet" role="status">
        {plural(found.total, 'match', 'matches')}
        {found.total > found.matches.length ? `, of which the first ${found.matches.length} are shown` : ''}
        {found.next === undefined
          ? ''
          : `. The search took too long: it ended at line ${found.next.line + 1}`}
      </p>
      <ul>
        {found.matches.map((match) => (
          <li key={`${match.line}.${match.column}`}>
            <button type="button" className="plain" onClick={() => onOpen(match.line)}>
              <span className="gutter">{match.line}</span>
              <code>{inertCode(match.text)}</code>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
