/**
 * Markdown of a model, inert: no HTML, no images, no address that is not shown in full.
 */
import { memo, type ReactNode } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import { inertText } from '../view/inert-text.ts'
import { safeAddress } from '../view/safe-address.ts'
import { Fallback } from './fallback.tsx'

/** Longer texts are shown as they are: laying them out would take too long. */
const MAX_CHARACTERS = 20_000

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
        [image: {alt === undefined || alt === '' ? 'without a description' : alt} ({shownAddress(address)})]
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

export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  const inert = inertText(text)
  const plain = <div className="prose plain-text">{inert}</div>
  if (inert.length > MAX_CHARACTERS) return plain
  return (
    <Fallback key={inert} instead={plain}>
      <div className="prose" dir="auto">
        <ReactMarkdown components={COMPONENTS} urlTransform={keepAddress}>
          {inert}
        </ReactMarkdown>
      </div>
    </Fallback>
  )
})
