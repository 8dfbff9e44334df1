import { clip } from '../../core/printable-text.ts'

/** Characters of a title, in UTF-16 units. */
const LONGEST = 80

/** What a Session is called after its first message: its first line, cut. */
export function titleOf(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? ''
  return clip(line.replace(/\s+/g, ' '), LONGEST)
}

/** What a Session is called, by what was noted when it began; its id where nothing was. */
export function shownTitle(title: unknown, session: string): string {
  return typeof title === 'string' && title.trim() !== '' ? title : session
}
