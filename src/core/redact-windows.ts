/**
 * Redacting a text of any length in windows, so that no secret lies across the border of two.
 */
import { headOf } from './printable-text.ts'
import { startOfBlockAt } from './redaction/private-key.ts'

/** Takes secrets out of a text. Pure in effect: the same text gives the same, whatever came before. */
export type Redact = (text: string) => string

/** The redaction failed: nothing of what it was to redact may be shown. */
export class RedactionError extends Error {
  override readonly name = 'RedactionError'
}

/** The same, failing with {@link RedactionError} and nothing else. */
export function guarded(redact: Redact): Redact {
  return (text) => {
    try {
      return redact(text)
    } catch (cause) {
      throw new RedactionError('A result could not be redacted', { cause })
    }
  }
}

/**
 * With what is around it, and the piece that fills it, below 128 Ki: V8 keeps longer strings apart, until all of its
 * memory is collected.
 */
const WINDOW = 96 * 1024
/** How far around a border is looked for a secret that lies across it. */
const NEAR = 8 * 1024
/** How far apart the borders are that are tried, back from the end: at line breaks, at white space, then anywhere. */
const STRIDE = 512

/**
 * Text in, redacted text out, at most a window later. The windows depend on the text alone, not on how it was
 * cut into pieces. `write` and `end` fail with {@link RedactionError} when `redact` fails.
 *
 * A window ends at a line break, else at white space, and only where redacting both sides apart gives what
 * redacting them together gives. Private keys, which may be longer than what is looked at around a border, are
 * left to the next window.
 */
export class RedactWindows {
  readonly #redact: Redact
  #held = ''

  constructor(redact: Redact) {
    this.#redact = guarded(redact)
  }

  write(text: string): string {
    this.#held += text
    let redacted = ''
    while (this.#held.length >= WINDOW + NEAR) {
      const ahead = this.#held.slice(0, WINDOW + NEAR)
      const found = this.#borderIn(ahead)
      // A block that fills the window is no key.
      const border = startOfBlockAt(ahead, found) || found
      redacted += this.#redact(this.#held.slice(0, border))
      this.#held = this.#held.slice(border)
    }
    return redacted
  }

  end(): string {
    const rest = this.#held
    this.#held = ''
    return rest === '' ? '' : this.#redact(rest)
  }

  #borderIn(text: string): number {
    for (const border of candidates(text)) if (this.#isClean(text, border)) return border
    return headOf(text, WINDOW).length
  }

  #isClean(text: string, border: number): boolean {
    const [before, after] = [text.slice(border - NEAR, border), text.slice(border, border + NEAR)]
    return this.#redact(before) + this.#redact(after) === this.#redact(before + after)
  }
}

function* candidates(text: string): Generator<number> {
  yield* bordersBehind(text, '\n')
  yield* bordersBehind(text, ' ')
  for (let end = WINDOW; end > WINDOW - NEAR; end -= STRIDE) yield headOf(text, end).length
}

/** Behind the last of a character before each end that is tried, in the second half of the window. */
function* bordersBehind(text: string, character: string): Generator<number> {
  let last = WINDOW + 1
  for (let end = WINDOW; end > WINDOW - NEAR; end -= STRIDE) {
    const border = text.lastIndexOf(character, end - 1) + 1
    if (border < WINDOW / 2) return
    if (border < last) yield border
    last = border
  }
}
