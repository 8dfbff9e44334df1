/**
 * What listings leave out: folders that hold no sources, and what `.gitignore` files name.
 */
import { compileGlob, type Glob, matchesGlob } from './glob.ts'

/** Never shown and never read: the runtime's own data. */
export const OWN_DATA_FOLDER = '.turnstep'

/** Folders that are left out wherever they are. */
export const SKIPPED_FOLDERS: ReadonlySet<string> = new Set([
  OWN_DATA_FOLDER,
  'node_modules',
  '.git',
  '.hg',
  '.svn',
  'dist',
  'build',
  'out',
  'coverage',
  '.next',
  '.turbo',
  '.cache',
  '.venv',
  '__pycache__',
])

interface IgnoreRule {
  readonly glob: Glob
  readonly isNegated: boolean
  readonly foldersOnly: boolean
}

/** The rules of one `.gitignore`, with the folder that it lies in. */
export interface IgnoreFile {
  /** Segments of the folder's path, none for the root. */
  readonly folder: readonly string[]
  readonly rules: readonly IgnoreRule[]
}

const LIMITS = { rules: 1_000, ruleLength: 500 } as const

/** Reads the text of a `.gitignore`: comments, negation, anchors, folder-only rules and globs. What is beyond the limits does not count. */
export function parseIgnoreFile(text: string, folder: readonly string[]): IgnoreFile {
  const lines = text.split('\n').map((line) => line.trimEnd())
  const rules = lines.filter(
    (line) => line !== '' && !line.startsWith('#') && line.length <= LIMITS.ruleLength,
  )
  return { folder, rules: rules.slice(0, LIMITS.rules).map(parseRule) }
}

function parseRule(line: string): IgnoreRule {
  const isNegated = line.startsWith('!')
  const pattern = isNegated ? line.slice(1) : line
  const foldersOnly = pattern.endsWith('/')
  const body = foldersOnly ? pattern.slice(0, -1) : pattern
  // A slash anywhere but at the end ties the pattern to the folder of its file.
  const isAnchored = body.includes('/')
  const segments = body.split('/').filter((segment) => segment !== '')
  return { glob: compileGlob(isAnchored ? segments : ['**', ...segments]), isNegated, foldersOnly }
}

/** Whether the last rule that speaks of a path says to leave it out. `files` go from the root inwards. */
export function isIgnored(files: readonly IgnoreFile[], path: readonly string[], isFolder: boolean): boolean {
  let ignored = false
  for (const { folder, rules } of files) {
    const inner = path.slice(folder.length)
    for (const rule of rules) {
      if (rule.isNegated !== ignored || (rule.foldersOnly && !isFolder)) continue
      if (matchesGlob(rule.glob, inner)) ignored = !rule.isNegated
    }
  }
  return ignored
}
