/**
 * HTML as plain text that is pleasant to read: paragraphs, lists, table rows, links with their addresses.
 *
 * Invariants:
 * 1. Work and memory grow with the length of the document alone, and the event loop is not held: a slice at a time.
 * 2. What a browser does not show (scripts, styles, comments) is left out. What a style sheet hides is not known.
 */
import { setImmediate } from 'node:timers/promises'
import { Parser } from 'htmlparser2'
import { TextBuilder } from './text-builder.ts'

const SLICE = 32 * 1024
/** The parser's work grows with the depth of each element. */
const MAX_DEPTH = 1_000

const SKIPPED: ReadonlySet<string> = new Set(
  'script style noscript template svg math iframe object canvas audio video'.split(' '),
)
/** Elements that begin and end a line. */
const LINES: ReadonlySet<string> = new Set(
  'div li tr dt dd caption figcaption option address header footer nav main aside section article form legend summary'.split(
    ' ',
  ),
)
/** Elements with a blank line around them. */
const PARAGRAPHS: ReadonlySet<string> = new Set(
  'title p h1 h2 h3 h4 h5 h6 ul ol dl table blockquote pre figure fieldset details hr'.split(' '),
)

/** Links are resolved against `base`. Fails with the reason of an abort. */
export async function readableText(html: string, base: URL, signal: AbortSignal): Promise<string> {
  const reading = new Reading(base)
  for (let start = 0; start < html.length && !reading.isTooDeep; start += SLICE) {
    reading.write(html.slice(start, start + SLICE))
    await setImmediate()
    signal.throwIfAborted()
  }
  return reading.end()
}

class Reading {
  readonly #text = new TextBuilder()
  readonly #parser: Parser
  readonly #base: URL
  /** Of each open list the number of its next item; undefined where items have none. */
  readonly #lists: (number | undefined)[] = []
  #depth = 0
  #skipped = 0
  #verbatim = 0
  #link: { readonly href: string; readonly from: number } | undefined
  isTooDeep = false

  constructor(base: URL) {
    this.#base = base
    this.#parser = new Parser({
      onopentag: (name, attributes) => this.#open(name, attributes),
      onclosetag: (name) => this.#close(name),
      ontext: (text) => this.#write(text),
    })
  }

  write(html: string): void {
    this.#parser.write(html)
  }

  end(): string {
    if (this.isTooDeep) this.#text.breakLine(2).add('[… the rest of the page is nested too deeply]')
    else this.#parser.end()
    return this.#text.toString()
  }

  #write(text: string): void {
    if (this.#skipped > 0 || this.isTooDeep) return
    if (this.#verbatim > 0) this.#text.addVerbatim(text)
    else this.#text.add(text)
  }

  #open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#depth += 1
    if (this.#depth > MAX_DEPTH) this.isTooDeep = true
    if (SKIPPED.has(name)) this.#skipped += 1
    if (this.#skipped > 0) return
    this.#breakAround(name)
    if (name === 'br') this.#text.breakLine(1)
    else if (name === 'pre') this.#verbatim += 1
    else if (name === 'ul') this.#lists.push(undefined)
    else if (name === 'ol') this.#lists.push(1)
    else if (name === 'li') this.#text.mark(this.#itemMark())
    else if (name === 'td' || name === 'th') this.#text.separate(' | ')
    else if (/^h[1-6]$/.test(name)) this.#text.mark(`${'#'.repeat(Number(name[1]))} `)
    else if (name === 'a') this.#link = { href: attributes['href'] ?? '', from: this.#text.length }
  }

  #close(name: string): void {
    this.#depth -= 1
    if (SKIPPED.has(name)) this.#skipped -= 1
    if (this.#skipped > 0) return
    if (name === 'pre') this.#verbatim -= 1
    else if (name === 'ul' || name === 'ol') this.#lists.pop()
    else if (name === 'a') this.#closeLink()
    else if (name === 'li' || /^h[1-6]$/.test(name)) this.#text.dropMark()
    this.#breakAround(name)
  }

  #breakAround(name: string): void {
    if (PARAGRAPHS.has(name)) this.#text.breakLine(this.#lists.length > 0 ? 1 : 2)
    else if (LINES.has(name)) this.#text.breakLine(1)
  }

  #itemMark(): string {
    const number = this.#lists.at(-1)
    if (number === undefined) return `${'  '.repeat(Math.max(this.#lists.length - 1, 0))}- `
    this.#lists[this.#lists.length - 1] = number + 1
    return `${'  '.repeat(this.#lists.length - 1)}${number}. `
  }

  #closeLink(): void {
    const { href = '', from = 0 } = this.#link ?? {}
    this.#link = undefined
    const hasText = this.#text.length > from
    if (!hasText || href === '' || href.startsWith('#') || !URL.canParse(href, this.#base.href)) return
    const url = new URL(href, this.#base)
    if (url.protocol === 'http:' || url.protocol === 'https:') this.#text.add(` (${url.href})`)
  }
}
