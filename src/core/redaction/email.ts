/**
 * E-mail addresses, found from their @ outwards.
 */
import type { Detector } from './detector.ts'

const LONGEST_LOCAL = 64
const LONGEST_DOMAIN = 253

/** The end of a local part, from a stretch that is never longer than one may be. */
const LOCAL = /[\p{L}\p{N}!#$%&*+/=?^_`{|}~'.-]+$/u
const DOMAIN =
  /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}(?:\p{L}{2,24}|xn--[a-z0-9]{2,59})(?![\p{L}\p{N}-])/iu

/** What stands behind an @ in names of files: icon@2x.png. */
const FILE_ENDING =
  /\.(?:png|jpe?g|gif|svg|webp|avif|ico|css|scss|js|mjs|cjs|ts|tsx|json|html?|md|map|tgz|zip)$/i

export const email: Detector<'email'> = {
  name: 'email',
  *find(text) {
    for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
      const domain = DOMAIN.exec(text.slice(at + 1, at + 1 + LONGEST_DOMAIN))?.[0]
      if (domain === undefined || FILE_ENDING.test(domain)) continue
      const local = localBefore(text, at)
      // git@HOST:PATH is the address of a repository.
      if (local === '' || (local === 'git' && [':', '/'].includes(text.charAt(at + 1 + domain.length))))
        continue
      const end = at + 1 + domain.length
      yield { start: at - local.length, end, normalized: `${local}@${domain}`.toLowerCase() }
    }
  },
}

const MARKS_BEFORE = ['=', '/', '?', '&', '`', '{', '|'] as const

function localBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - LONGEST_LOCAL), at).toWellFormed()
  const local = LOCAL.exec(before)?.[0] ?? ''
  // What may stand in a local part also stands before one: `to=`, a path, a quote.
  const start = Math.max(...MARKS_BEFORE.map((mark) => local.lastIndexOf(mark))) + 1
  return local.slice(start).replace(/^[^\p{L}\p{N}_]+/u, '')
}
