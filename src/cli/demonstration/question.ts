/**
 * Plain English about a folder, as the demonstration model understands it.
 */
import { readExpression } from './read-expression.ts'

export type Question =
  | {
      readonly kind: 'rank'
      readonly measure: 'lines' | 'bytes'
      readonly end: 'most' | 'fewest'
      readonly extension?: string
      readonly path?: string
    }
  | { readonly kind: 'count'; readonly extension?: string; readonly path?: string }
  | { readonly kind: 'list'; readonly extension?: string; readonly path?: string }
  | { readonly kind: 'length'; readonly path: string }
  | { readonly kind: 'read'; readonly path: string }
  | { readonly kind: 'find'; readonly text: string; readonly extension?: string }
  | { readonly kind: 'calculate'; readonly expression: string }
  | { readonly kind: 'time'; readonly timeZone?: string }
  | { readonly kind: 'write'; readonly path: string; readonly text: string }

const EXTENSIONS: readonly (readonly [RegExp, string])[] = [
  [/\btypescript\b/i, '.ts'],
  [/\bjavascript\b/i, '.js'],
  [/\bpython\b/i, '.py'],
  [/\bmarkdown\b/i, '.md'],
  [/\bjson\b/i, '.json'],
  [/\byaml\b/i, '.yml'],
  [/\bhtml\b/i, '.html'],
  [/\bcss\b/i, '.css'],
  [/\brust\b/i, '.rs'],
  [/\bjava\b/i, '.java'],
  [/\bshell\b/i, '.sh'],
  [/\btext files?\b/i, '.txt'],
]

const ZONES: readonly (readonly [RegExp, string])[] = [
  [/\bberlin\b/i, 'Europe/Berlin'],
  [/\blondon\b/i, 'Europe/London'],
  [/\bparis\b/i, 'Europe/Paris'],
  [/\bnew york\b/i, 'America/New_York'],
  [/\b(?:san francisco|los angeles)\b/i, 'America/Los_Angeles'],
  [/\btokyo\b/i, 'Asia/Tokyo'],
  [/\b(?:delhi|mumbai)\b/i, 'Asia/Kolkata'],
  [/\bsydney\b/i, 'Australia/Sydney'],
  [/\b(?:utc|gmt)\b/i, 'UTC'],
]

const FILE = String.raw`[\w@.-]+(?:/[\w@.-]+)*\.[A-Za-z]\w{0,9}|(?:[\w@.-]+/)*(?:README|LICENSE|Makefile|Dockerfile)\b`
const NOT_A_FOLDER =
  /^(?:this|the|here|it|all|a|an|my|your|total|there|which|that|current|lines?|bytes?|files?|folder|project)$/i

/** What one message asks, in its order; empty when nothing of it is understood. */
export function readQuestions(text: string): readonly Question[] {
  // What is to be written may itself look like questions.
  const write = readWrite(text)
  if (write !== undefined) return [write]
  const whole = readQuestion(text)
  const parts = text
    .split(
      /[?;]\s+|\s*,?\s+(?:and\s+then|and\s+also|then)\s+|\s*,?\s+and\s+(?=(?:what|how|which|where|find|list|show|read|calculate|compute)\b)/i,
    )
    .map((part) => part.trim())
    .filter((part) => part !== '')
  if (parts.length < 2) return whole === undefined ? [] : [whole]
  return parts.map(readQuestion).filter((question) => question !== undefined)
}

function readQuestion(text: string): Question | undefined {
  return (
    readTime(text) ??
    readRank(text) ??
    readLength(text) ??
    readCount(text) ??
    readFind(text) ??
    readRead(text) ??
    readSum(text) ??
    readList(text)
  )
}

function readWrite(text: string): Question | undefined {
  const quoted = new RegExp(
    String.raw`\b(?:write|put|save)\s+["'\x60](.+)["'\x60]\s+(?:in|to|into|as)\s+(?:a file\s+|the file\s+)?["'\x60]?(${FILE})`,
    'is',
  ).exec(text)
  const [, said, path] = quoted ?? []
  if (said !== undefined && path !== undefined) return { kind: 'write', path, text: said }
  const named = new RegExp(
    String.raw`\b(?:write|create|make)\s+(?:a |the )?(?:new )?file\s+(?:called |named )?["'\x60]?(${FILE})["'\x60]?\s+(?:that says|saying|with|containing)\s+(.+)$`,
    'is',
  ).exec(text)
  const [, file, rest] = named ?? []
  const words = rest?.trim().replace(/^["'\x60](.*)["'\x60][.!]?$/s, '$1') ?? ''
  return file === undefined || words === '' ? undefined : { kind: 'write', path: file, text: words }
}

function readTime(text: string): Question | undefined {
  if (
    !/\b(?:what time|time is it|current time|(?:what(?:'?s| is)|tell me) the (?:time|date)|what day|today's date)\b/i.test(
      text,
    )
  )
    return undefined
  const timeZone =
    /\b[A-Z][A-Za-z]+\/[A-Z][A-Za-z_]+\b/.exec(text)?.[0] ?? ZONES.find(([city]) => city.test(text))?.[1]
  return { kind: 'time', ...(timeZone === undefined ? {} : { timeZone }) }
}

function readRank(text: string): Question | undefined {
  const superlative = /\b(most|largest|longest|biggest|greatest|fewest|least|smallest|shortest)\b/i
    .exec(text)?.[1]
    ?.toLowerCase()
  if (superlative === undefined || !/\b(?:files?|lines?|bytes?)\b/i.test(text)) return undefined
  const isBySize =
    /\b(?:bytes?|size)\b/i.test(text) ||
    (/largest|biggest|smallest/.test(superlative) && !/\blines?\b/i.test(text))
  const end = /fewest|least|smallest|shortest/.test(superlative) ? 'fewest' : 'most'
  return { kind: 'rank', measure: isBySize ? 'bytes' : 'lines', end, ...scopeOf(text) }
}

function readLength(text: string): Question | undefined {
  const path = new RegExp(
    String.raw`\b(?:how many lines|how long|number of lines)\b.*?["'\x60]?(${FILE})`,
    'i',
  ).exec(text)?.[1]
  return path === undefined ? undefined : { kind: 'length', path }
}

function readCount(text: string): Question | undefined {
  return /\bhow many\b.*\bfiles?\b|\bcount\b.*\bfiles\b|\bnumber of\b.*\bfiles\b/i.test(text)
    ? { kind: 'count', ...scopeOf(text) }
    : undefined
}

function readFind(text: string): Question | undefined {
  const asked =
    /\b(?:which|what) files? (?:mentions?|contains?|uses?|imports?|has|have)\s+(.+)/i.exec(text)?.[1] ??
    /\bwhere (?:is|are|do|does)\s+(.+?)(?:\s+(?:defined|declared|used|mentioned|set|occurs?|appears?|come from))?\s*[?.!]*$/i.exec(
      text,
    )?.[1] ??
    /\b(?:find|search for|look for|grep(?: for)?)\s+(.+)/i.exec(text)?.[1]
  if (asked === undefined) return undefined
  const quoted = /["'`](.+?)["'`]/.exec(asked)?.[1]
  const wanted =
    quoted ??
    asked
      .replace(
        /\s+(?:in|within)\s+(?:here|this folder|the folder|the (?:\w+ )?files|this project|all files|\w+ files).*$/i,
        '',
      )
      .replace(/^(?:the (?:text|word|string)|all|every)\s+/i, '')
  const text_ = wanted.replace(/\s*[?.!]+$/, '').trim()
  return text_ === '' ? undefined : { kind: 'find', text: text_, ...extensionOf(asked.slice(wanted.length)) }
}

function readRead(text: string): Question | undefined {
  const verb = String.raw`\b(?:what(?:'s| is| does)?\s+(?:in|inside)|show|read|open|print|cat|display|contents? of|look (?:at|into)|says?)\b`
  const path = new RegExp(String.raw`${verb}.*?["'\x60]?(${FILE})`, 'i').exec(text)?.[1]
  return path === undefined ? undefined : { kind: 'read', path }
}

function readSum(text: string): Question | undefined {
  const expression = readExpression(text)
  return expression === undefined ? undefined : { kind: 'calculate', expression }
}

function readList(text: string): Question | undefined {
  return /\b(?:list|show|which|what)\b.*\bfiles?\b|\bls\b/i.test(text)
    ? { kind: 'list', ...scopeOf(text) }
    : undefined
}

function scopeOf(text: string): { extension?: string; path?: string } {
  const named =
    /\b(?:in|under|within|of)\s+(?:the\s+)?(?:folder\s+|directory\s+)?["'`]?([\w@.-]+(?:\/[\w@.-]+)*)\/?["'`]?/gi
  const path = [...text.matchAll(named)].map(([, name]) => name ?? '').find((name) => isFolder(name))
  return { ...extensionOf(text), ...(path === undefined ? {} : { path }) }
}

function isFolder(name: string): boolean {
  return !NOT_A_FOLDER.test(name) && !EXTENSIONS.some(([word]) => word.test(name)) && !/^\.?\d|\.$/.test(name)
}

function extensionOf(text: string): { extension?: string } {
  const spelled = /(?:^|\s|\*)(\.[A-Za-z]\w{0,8})\b(?!\/)/.exec(text)?.[1]
  const short = /\b([cm]?[jt]sx?|md|py|json|ya?ml|css|html|rs|go|java|sh|txt|sql)\s+files?\b/i.exec(text)?.[1]
  const extension =
    spelled ??
    (short === undefined ? undefined : `.${short.toLowerCase()}`) ??
    EXTENSIONS.find(([word]) => word.test(text))?.[1]
  return extension === undefined ? {} : { extension }
}
