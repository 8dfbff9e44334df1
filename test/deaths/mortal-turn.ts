/**
 * A Turn that is to die: where it died, and the exact traces that it must leave in the world.
 */
import type { Event, EventOf } from '../../src/core/event.ts'
import type { ToolEffect } from '../../src/core/receipt.ts'
import { verifyLog } from '../../src/core/verify-log.ts'
import type { Point } from './points.ts'
import type { Arrival } from './tool-server.ts'
import { resultOf } from './tool-server.ts'

/** A Turn is its Session's only one; both have one id. */
export interface MortalTurn {
  readonly id: string
  readonly effect: ToolEffect
  /** Where it died so far. */
  readonly deaths: Point[]
  /** How often it is to die in all. */
  planned: number
  /** Where it is to die next, in the present life of its worker. */
  target: Point | undefined
  /** What the provider was asked: the Step, and the receipt that was shown. */
  readonly requests: { readonly step: number; readonly receipt: string }[]
  /** Found wrong while it ran. */
  readonly violations: string[]
}

/** What is left in the world once the Turn is over. */
export interface Traces {
  readonly log: readonly Event[]
  readonly arrivals: readonly Arrival[]
  readonly requests: MortalTurn['requests']
}

const SEQUENCE =
  'turn/start user/message step/start assistant/message tool/call tool/result step/end step/start assistant/message step/end turn/end'

/** How many effects the call must have had; `at most one` of a `once` call is meant to the digit. */
export function effectsOf({ effect, deaths }: Pick<MortalTurn, 'effect' | 'deaths'>): number {
  const unsettled = deathsWithin(deaths, 2)
  if (effect !== 'once') return 1 + unsettled.filter(({ isSpent }) => isSpent).length
  return unsettled[0] === undefined || unsettled[0].isSpent ? 1 : 0
}

/** Whether the call must have the receipt `outcome-unknown`: a death fell between claim and receipt. */
export function isOutcomeUnknown({ effect, deaths }: Pick<MortalTurn, 'effect' | 'deaths'>): boolean {
  return effect === 'once' && deathsWithin(deaths, 2).length > 0
}

/** What is wrong with the traces of a Turn that is over, one line each. */
export function judge(turn: Pick<MortalTurn, 'effect' | 'deaths'>, traces: Traces): readonly string[] {
  const { log, arrivals, requests } = traces
  const violations: string[] = verifyLog(log, { settled: true }).map((found) => JSON.stringify(found))
  const expect = (what: string, found: string | number, expected: string | number): void => {
    if (found !== expected) violations.push(`${what}: ${found} instead of ${expected}`)
  }
  const kept = log.filter(({ type }) => type !== 'attempt/lost')
  expect('the log', kept.map(({ type }) => type).join(' '), SEQUENCE)
  expect(
    'the end',
    ofType(log, 'turn/end')
      .map(({ reason }) => reason)
      .join(),
    'completed',
  )

  expect('effects', arrivals.length, effectsOf(turn))
  const ids = new Set([...ofType(log, 'tool/call').map(({ requestId }) => requestId)])
  for (const { requestId } of arrivals) ids.add(requestId)
  expect('request ids', ids.size, 1)

  const [receipt] = ofType(log, 'tool/result')
  const last = arrivals.at(-1)
  expect('the receipt', receipt?.kind ?? 'none', isOutcomeUnknown(turn) ? 'outcome-unknown' : 'ok')
  if (receipt?.kind === 'ok' && last !== undefined) expect('the result', receipt.content, resultOf(last))

  for (const { step, stage } of [
    { step: 1, stage: 1 },
    { step: 2, stage: 3 },
  ]) {
    const lost = deathsWithin(turn.deaths, stage)
    const paid = 1 + lost.filter(({ isSpent }) => isSpent).length
    const notes = ofType(log, 'attempt/lost').filter((note) => note.step === step)
    expect(`requests of Step ${step}`, requests.filter((request) => request.step === step).length, paid)
    expect(`attempts noted as lost in Step ${step}`, notes.length, lost.length)
  }
  for (const shown of requests.filter(({ step }) => step === 2)) {
    if (!shown.receipt.includes(receipt?.content ?? 'a receipt'))
      violations.push(`the model was shown ${JSON.stringify(shown.receipt)}, not the receipt in the log`)
  }
  return violations
}

/** Deaths between the first and the last commit of a stage: their attempt is lost. */
function deathsWithin(deaths: readonly Point[], stage: number): readonly Point[] {
  return deaths.filter((death) => death.stage === stage && death.phase === 'working')
}

function ofType<T extends Event['type']>(log: readonly Event[], type: T): readonly EventOf<T>[] {
  return log.filter((event): event is EventOf<T> => event.type === type)
}
