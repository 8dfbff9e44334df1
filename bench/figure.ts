/**
 * What a scenario finds out, and how it is printed.
 */
export interface Figure {
  readonly name: string
  readonly unit: 'ms' | 'µs' | 's' | 'MB' | 'B' | '×' | '/s' | ''
  /** Turnstep's. */
  readonly value: number
  /** What it is to be: at most, or at least where more is better. */
  readonly target?: number | undefined
  readonly isMoreBetter?: true
  /** The same of others, in the same run. */
  readonly others?: Readonly<Record<string, number | undefined>> | undefined
}

/** Figures as a table: a figure by its target (below 1 is good), and by what others need (`×`: ours by theirs). */
export function renderTable(title: string, figures: readonly Figure[]): string {
  const others = [...new Set(figures.flatMap((figure) => Object.keys(figure.others ?? {})))]
  const rows = [
    ['', 'turnstep', 'target', 'of target', ...others],
    ...figures.map((figure) => [
      figure.name,
      withUnit(figure.value, figure.unit),
      figure.target === undefined
        ? ''
        : `${figure.isMoreBetter === true ? '≥' : '≤'} ${withUnit(figure.target, figure.unit)}`,
      ofTarget(figure),
      ...others.map((name) => compared(figure, figure.others?.[name])),
    ]),
  ]
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  const lines = rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  )
  return [title, ...lines.map((line) => `  ${line}`)].join('\n')
}

function ofTarget({ value, target, isMoreBetter }: Figure): string {
  if (target === undefined) return ''
  if (target === 0) return value === 0 ? 'met' : 'missed'
  return (isMoreBetter === true ? target / value : value / target).toFixed(2)
}

function compared({ value, unit }: Figure, other: number | undefined): string {
  if (other === undefined) return ''
  return other === 0 ? withUnit(other, unit) : `${withUnit(other, unit)} (×${round(value / other)})`
}

function withUnit(value: number, unit: Figure['unit']): string {
  if (Number.isNaN(value)) return '–'
  return unit === '' ? round(value) : unit === '×' ? `×${round(value)}` : `${round(value)} ${unit}`
}

/** Three figures, and whole numbers as they are. */
function round(value: number): string {
  const size = Math.abs(value)
  const digits = Number.isInteger(value) || size >= 100 ? 0 : size >= 10 ? 1 : 2
  return value.toFixed(digits)
}

/** A size of results as it is called in names of figures. */
export function sizeName(bytes: number): string {
  return bytes < 1_000 ? `${bytes} B` : `${bytes / 1_000} kB`
}
