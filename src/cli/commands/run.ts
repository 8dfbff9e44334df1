/**
 * `turnstep run TEXT`: one Turn, from its input to its end.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { StreamItem } from '../../client/index.ts'
import { DEFAULT_TENANT } from '../../core/ids.ts'
import { EXIT, exitCodeOfEnd } from '../exit-code.ts'
import { type FollowedEnd, followTurn } from '../follow-turn.ts'
import { exitOnInterrupt, onInterrupt } from '../interrupts.ts'
import { denyAtOnce } from '../nobody-approves.ts'
import { type CommonOptions, readMessage, readSettings } from '../options.ts'
import { printEvent } from '../output/json-lines.ts'
import { type Outlet, streamOutlet } from '../output/outlet.ts'
import { ProgressNotes } from '../output/progress-notes.ts'
import { TurnPrinter } from '../output/turn-printer.ts'
import { settle } from '../stack/settle.ts'
import { Stack } from '../stack/stack.ts'
import { stopInput } from '../stop-input.ts'
import { TerminalApprovals } from '../terminal-approvals.ts'

export interface RunOptions extends CommonOptions {
  readonly agent?: string
}

/** The Turn has ended by then: what is still under way belongs to other processes' Turns. */
const GRACE_MS = 60_000
const LEAVING_MS = 2_000

/** Runs one Turn and returns the exit code of its end. */
export async function run(words: readonly string[], options: RunOptions): Promise<number> {
  const text = await readMessage(words)
  const outlet = streamOutlet()
  const settings = readSettings(options)
  const ignore = exitOnInterrupt()
  const { session, agent } = options
  const stack = await Stack.open({
    settings,
    folder: process.cwd(),
    session,
    agent,
    graceMs: GRACE_MS,
    note: outlet.note,
  })
  let hasEnded = false
  try {
    ignore()
    const end = await Promise.race([takeTurn(stack, text, { ...options, outlet }), stack.failure])
    hasEnded = end.kind !== 'left'
    return exitCodeOf(end)
  } finally {
    ignore()
    outlet.endLine()
    exitOnInterrupt()
    // One that was left is in the worker's hands, which would be waited for.
    await Promise.race([stack.close(), ...(hasEnded ? [] : [delay(LEAVING_MS)])])
  }
}

async function takeTurn(
  stack: Stack,
  text: string,
  { session: id, json, outlet }: RunOptions & { readonly outlet: Outlet },
): Promise<FollowedEnd> {
  const session = stack.client.session(id)
  const { seq, open } = await stack.store.head({ tenant: DEFAULT_TENANT, session: id })
  if (open !== undefined) outlet.note(`A turn of session ${id} is still open. It goes on first.`)
  const { inputId } = await session.followup(text)
  const left = new AbortController()
  const ignore = onInterrupt((kind, count) => {
    if (kind === 'terminate' || count > 1) return left.abort(kind)
    outlet.note('Stopping. Ctrl-C again leaves at once.')
    stopInput(session, inputId).catch((error: unknown) => left.abort(error))
  })
  const isTerminal = json !== true && process.stdin.isTTY === true
  const approvals = new TerminalApprovals(session, outlet)
  const printer = new TurnPrinter({ outlet, isOwnInput: (input) => input === inputId })
  const progress = new ProgressNotes(outlet.note)
  const show = (item: StreamItem): void => {
    if (json !== true && process.stderr.isTTY === true) progress.take(item)
    if (json !== true) printer.show(item)
    else if (item.kind === 'event') printEvent(item.event)
    if (isTerminal) approvals.take(item)
    else denyAtOnce(session, item, outlet.note)
  }
  try {
    const end = await followTurn(session, { inputId, after: seq, signal: left.signal, show })
    if (left.signal.reason instanceof Error) throw left.signal.reason
    if (end.kind === 'left') outlet.note('Leaving. A turn that is still open goes on with the next start.')
    else await settle(session)
    return end
  } finally {
    approvals.close()
    progress.close()
    ignore()
  }
}

function exitCodeOf(end: FollowedEnd): number {
  switch (end.kind) {
    case 'ended':
      return exitCodeOfEnd(end.reason)
    case 'withdrawn':
    case 'left':
      return EXIT.aborted
    case 'refused':
      return EXIT.failed
  }
}
