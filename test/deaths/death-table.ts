/**
 * What the experiment found, as a table: a row for each point, then the totals.
 */
import { EFFECTS, isOfTool, POINTS, type Point } from './points.ts'
import type { BuriedTurn, DeathsReport } from './run-deaths.ts'

const HEAD = ['point', ...EFFECTS, 'deaths', 'no effect', 'one effect', 'more', 'unknown', 'violations']

/** A Turn that died at several points is counted in the row of each. The effects are those of `once` calls. */
export function renderTable(report: DeathsReport): string {
  const rows = POINTS.map((point) => rowOf(point, report.turns))
  return align([HEAD, ...rows])
}

/** Everything that is wrong, one line each; empty when the experiment has passed. */
export function findFailures({ turns, passes, refused }: DeathsReport): readonly string[] {
  const missing = POINTS.flatMap((point) =>
    EFFECTS.filter(
      (effect) => !turns.some((turn) => turn.effect === effect && turn.deaths.includes(point)),
    ).map((effect) => ({ point, effect })),
  )
  const unhit = POINTS.filter(
    (point) => missing.filter((one) => one.point === point).length === EFFECTS.length,
  )
  const unpaired = missing.filter(({ point }) => passes >= EFFECTS.length || isOfTool(point))
  return [
    ...turns.flatMap(({ id, effect, deaths, violations }) =>
      violations.map(
        (violation) => `${id} (${effect}; ${deaths.map(({ name }) => name).join('; ')}): ${violation}`,
      ),
    ),
    ...refused.map((violation) => `a provider would have refused a request: ${violation}`),
    ...unhit.map(({ name }) => `no Turn died at "${name}"`),
    ...unpaired.map(({ point, effect }) => `no Turn with the effect ${effect} died at "${point.name}"`),
  ]
}

/** The totals in a few lines. */
export function renderTotals(report: DeathsReport, failures: number): string {
  const { turns, processes } = report
  const deaths = turns.reduce((sum, turn) => sum + turn.deaths.length, 0)
  const once = turns.filter(({ effect }) => effect === 'once')
  const pairs = POINTS.flatMap((point) =>
    EFFECTS.filter((effect) => turns.some((turn) => turn.effect === effect && turn.deaths.includes(point))),
  )
  const hit = POINTS.filter((point) => turns.some((turn) => turn.deaths.includes(point)))
  const unknown = once.filter(({ isOutcomeUnknown }) => isOutcomeUnknown)
  const known = once.filter(({ isOutcomeUnknown }) => !isOutcomeUnknown)
  return [
    `${deaths} deaths of ${turns.length} Turns under ${processes} killed processes.`,
    `${hit.length} of ${POINTS.length} points hit, ${pairs.length} of ${POINTS.length * EFFECTS.length} with an effect.`,
    `once: ${once.length} request ids, most effects of one ${Math.max(0, ...once.map(({ effects }) => effects))}; ` +
      `${known.filter(({ effects }) => effects === 1).length} of ${known.length} with a known outcome had exactly one, ` +
      `${unknown.filter(({ effects }) => effects === 1).length} of ${unknown.length} outcome-unknown had one, the others none.`,
    `Violations: ${failures}.`,
  ].join('\n')
}

function rowOf(point: Point, all: readonly BuriedTurn[]): readonly string[] {
  const here = all.filter(({ deaths }) => deaths.includes(point))
  const once = here.filter(({ effect }) => effect === 'once')
  const timesIn = (turns: readonly BuriedTurn[]): number =>
    turns.reduce((sum, { deaths }) => sum + deaths.filter((death) => death === point).length, 0)
  return [
    point.name,
    ...[
      ...EFFECTS.map((effect) => timesIn(here.filter((turn) => turn.effect === effect))),
      timesIn(here),
      once.filter(({ effects }) => effects === 0).length,
      once.filter(({ effects }) => effects === 1).length,
      once.filter(({ effects }) => effects > 1).length,
      once.filter(({ isOutcomeUnknown }) => isOutcomeUnknown).length,
      here.reduce((sum, { violations }) => sum + violations.length, 0),
    ].map(String),
  ]
}

function align(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  '),
    )
    .join('\n')
}
