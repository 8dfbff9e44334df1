/**
 * Numbers and times as people read them. In English, whatever the browser's language: so is the rest of the page.
 */

/** `850 ms`, `3.2 s`, `4 min 5 s`, `2 h 3 min`. */
export function formatDuration(durationMs: number): string {
  if (durationMs < 1_000) return `${Math.max(0, Math.round(durationMs))} ms`
  if (durationMs < 60_000) return `${(Math.floor(durationMs / 100) / 10).toFixed(1)} s`
  const seconds = Math.floor(durationMs / 1_000)
  if (seconds < 3_600) return twoUnits([Math.floor(seconds / 60), 'min'], [seconds % 60, 's'])
  const minutes = Math.floor(seconds / 60)
  if (minutes < 24 * 60) return twoUnits([Math.floor(minutes / 60), 'h'], [minutes % 60, 'min'])
  return twoUnits([Math.floor(minutes / 1_440), 'd'], [Math.floor((minutes % 1_440) / 60), 'h'])
}

function twoUnits([large, largeUnit]: [number, string], [small, smallUnit]: [number, string]): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`
}

/** `950`, `12.3k`, `4.1M`. */
export function formatCount(count: number): string {
  if (count < 1_000) return String(count)
  if (count < 999_950) return `${(count / 1_000).toFixed(1)}k`
  return `${(count / 1_000_000).toFixed(1)}M`
}

/** Micro-USD as dollars, with as many digits as say something: `$0.000123`, `$0.0131`, `$1.25`. */
export function formatCost(microUsd: number): string {
  const dollars = microUsd / 1_000_000
  const digits = dollars >= 1 ? 2 : dollars >= 0.01 ? 4 : 6
  return `$${dollars.toFixed(digits).replace(/(\.\d\d\d*?)0+$/, '$1')}`
}

/** `1 step`, `2 steps`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

/** `12 B`, `3.4 kB`, `5.6 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(1)} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** `14:03:09`, with the day before it when it is another one than now. In the browser's time zone. */
export function formatTime(at: string, now: number): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return at
  const two = (value: number): string => String(value).padStart(2, '0')
  const clock = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
  if (date.toDateString() === new Date(now).toDateString()) return clock
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${clock}`
}

/** `3 s ago`, `5 min ago`, `2 h ago`, `4 d ago`. */
export function formatAge(at: string, now: number): string {
  const age = now - Date.parse(at)
  if (Number.isNaN(age)) return ''
  if (age < 5_000) return 'now'
  const seconds = Math.floor(age / 1_000)
  if (seconds < 60) return `${seconds} s ago`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ago`
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h ago`
  return `${Math.floor(seconds / 86_400)} d ago`
}
