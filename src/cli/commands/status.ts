import type { SessionStatus } from '../../client/index.ts'
import type { Environment } from '../../config.ts'
import { DEFAULT_TENANT } from '../../core/ids.ts'
import type { Content } from '../../core/message.ts'
import { textOf } from '../../core/message.ts'
import type { SessionStore } from '../../core/ports.ts'
import { isContentRef, type PendingInputs } from '../../core/wire.ts'
import { type CommonOptions, readSettings } from '../options.ts'
import { describeWaiting } from '../output/describe-approval.ts'
import { describeSpending } from '../output/describe-spending.ts'
import { printLine } from '../output/json-lines.ts'
import { oneLine } from '../output/terminal-text.ts'
import { attachIfRunning, findWorker } from '../stack/attach.ts'
import { openExistingStore } from '../stack/read-store.ts'
import type { SeatHolder } from '../stack/worker-seat.ts'

/** What `status --json` prints. */
interface Report extends Omit<SessionStatus, 'phase'> {
  readonly session: string
  /** `open`: a Turn is open and nothing runs that could go on with it. */
  readonly phase: SessionStatus['phase'] | 'open'
  readonly turns: number
  readonly events: number
  /** Sessions with an open Turn. */
  readonly openSessions: readonly string[]
  readonly temporal: string | null
  readonly worker: SeatHolder | null
}

const NOTHING_SPENT: Report['spent'] = { tokens: 0, costMicroUsd: 0 }

/** `turnstep status`: where a Session stands, and what runs. Of a folder in which nothing runs, what the store says. */
export async function status(options: CommonOptions): Promise<number> {
  const report = await look(readSettings(options), options.session)
  if (options.json === true) printLine(report)
  else process.stdout.write(describe(report))
  return 0
}

async function look(settings: Environment, session: string): Promise<Report> {
  const worker = findWorker(settings) ?? null
  const attached = await attachIfRunning(settings)
  if (attached !== undefined) {
    try {
      const stands = await attached.client.session(session).status()
      return { ...(await readLog(attached.store, session)), ...stands, temporal: attached.address, worker }
    } finally {
      await attached.close()
    }
  }
  const store = await openExistingStore(settings)
  const read =
    store === undefined
      ? ({ session, phase: 'idle', turns: 0, events: 0, spent: NOTHING_SPENT, openSessions: [] } as const)
      : await readLog(store, session).finally(() => store.close())
  return { ...read, temporal: null, worker }
}

async function readLog(store: SessionStore, session: string): Promise<Omit<Report, 'temporal' | 'worker'>> {
  const { seq, turns, open, memory = {} } = await store.head({ tenant: DEFAULT_TENANT, session })
  const openTurns = await store.openTurns()
  return {
    session,
    phase: open === undefined ? 'idle' : 'open',
    ...(open === undefined ? {} : { turnId: open.turnId, step: open.step }),
    turns,
    events: seq,
    spent: { tokens: memory.tokens ?? 0, costMicroUsd: memory.costMicroUsd ?? 0 },
    openSessions: openTurns.map(({ key }) => key.session),
  }
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

function describe(report: Report): string {
  const { session, turnId, step, turnPhase, pending = [], spent, worker } = report
  const others = report.openSessions.filter((name) => name !== session)
  const lines = [
    `Session ${session}: ${report.phase}, ${count(report.turns, 'turn')}, ${count(report.events, 'event')}`,
    ...(turnId === undefined
      ? []
      : [`Turn ${turnId}: step ${step ?? 0}${turnPhase === undefined ? '' : `, ${turnPhase}`}`]),
    ...(report.approvals ?? []).flatMap(describeWaiting),
    ...(report.approvals === undefined
      ? []
      : ['  Decide with "turnstep decide CALL approve|edit|deny|replan".']),
    ...(report.clientCalls ?? []).map(
      ({ callId, tool }) => `? ${oneLine(tool, 64)} waits for its client: ${callId}`,
    ),
    ...pending.map(describePending),
    ...(spent.tokens === 0
      ? []
      : [`Spent: ${describeSpending({ tokens: spent.tokens, cost: spent.costMicroUsd || null })}`]),
    ...(others.length === 0 ? [] : [`Open turns in other sessions: ${others.join(', ')}`]),
    `Temporal: ${report.temporal ?? 'not running'}`,
    `Worker: ${worker === null ? 'none on this machine' : `process ${worker.pid}, for ${worker.folder}`}`,
    ...(worker?.agents ?? []).map(({ name, description }) => `  ${name}: ${description}`),
    ...(report.phase === 'open' ? ['The open turn goes on with "turnstep start".'] : []),
  ]
  return `${lines.join('\n')}\n`
}

function describePending({ id, lane, content }: PendingInputs[number]): string {
  const text = isContentRef(content) ? `${content.sizeBytes} bytes` : textOf(content satisfies Content)
  return `Waiting (${lane}): ${id}: ${oneLine(text, 100)}`
}
