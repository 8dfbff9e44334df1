/**
 * Markdown of a model, inert: no HTML, no images, no address that is not shown in full.
 */
import { memo, type ReactNode } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import { inertText } from '../view/inert-text.ts'
import { inertTree } from '../view/inert-tree.ts'
import { safeAddress } from '../view/safe-address.ts'
import { type Segment, splitTables } from '../view/split-tables.ts'
import { Fallback } from './fallback.tsx'
import { ScrollBox } from './scroll-box.tsx'

/** Longer texts are shown as they are: laying them out would take too long. */
const MAX_CHARACTERS = 20_000

/** So are those with more signs of emphasis, whose layout takes time with the square of their number. */
const MAX_EMPHASIS = 4_000

const COMPONENTS: Components = {
  a({ href, children }) {
    const address = href === undefined ? undefined : safeAddress(href)
    if (address === undefined)
      return (
        <span>
          {children} <span className="address">({shownAddress(href)}, not a link)</span>
        </span>
      )
    const isItself = typeof children === 'string' && (children === address || `${children}/` === address)
    return (
      <>
        <a href={address} target="_blank" rel="noreferrer noopener">
          {children}
        </a>
        {isItself ? null : <span className="address"> ({shownAddress(address)})</span>}
      </>
    )
  },
  img({ src, alt }) {
    const address = typeof src === 'string' ? src : ''
    return (
      <span className="address">
        [image: {alt === undefined || alt === '' ? 'without a description' : inertText(alt)} (
        {shownAddress(address)})]
      </span>
    )
  },
  // The page has headings of its own; a model's are strong lines.
  h1: Heading,
  h2: Heading,
  h3: Heading,
  h4: Heading,
  h5: Heading,
  h6: Heading,
  pre: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled with the keyboard.
    <pre tabIndex={0}>{children}</pre>
  ),
}

function Heading({ children }: { readonly children?: ReactNode }) {
  return (
    <p className="heading">
      <strong>{children}</strong>
    </p>
  )
}

function shownAddress(address: string | undefined): string {
  if (address === undefined || address === '') return 'no address'
  return inertText(address)
}

/** Addresses are judged where they are shown. */
const keepAddress = (address: string): string => address

const READING = { rehypePlugins: [inertTree], urlTransform: keepAddress }

export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  const inert = inertText(text)
  const plain = <div className="prose plain-text">{inert}</div>
  if (inert.length > MAX_CHARACTERS || (inert.match(/[*_]/g)?.length ?? 0) > MAX_EMPHASIS) return plain
  return (
    <Fallback key={inert} instead={plain}>
      <div className="prose" dir="auto">
        {splitTables(inert).map((segment, index) =>
          segment.kind === 'text' ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: segments of one text never move.
            <ReactMarkdown key={index} components={COMPONENTS} {...READING}>
              {segment.text}
            </ReactMarkdown>
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: segments of one text never move.
            <Table key={index} {...segment} />
          ),
        )}
      </div>
    </Fallback>
  )
})

/** Cells have no paragraphs of their own. */
const CELL_COMPONENTS: Components = { ...COMPONENTS, p: ({ children }) => children }

function Table({ head, align, rows }: Extract<Segment, { kind: 'table' }>) {
  const cell = (text: string): ReactNode => (
    <ReactMarkdown components={CELL_COMPONENTS} {...READING}>
      {text}
    </ReactMarkdown>
  )
  const sideOf = (index: number): string => `side-${align[index] ?? 'left'}`
  return (
    <ScrollBox className="prose-table" label="Table">
      <table>
        <thead>
          <tr>
            {head.map((text, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns of one table never move.
              <th key={index} scope="col" className={sideOf(index)}>
                {cell(text)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of one table never move.
            <tr key={line}>
              {row.map((text, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns of one table never move.
                <td key={index} className={sideOf(index)}>
                  {cell(text)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}
