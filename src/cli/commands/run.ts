/**
 * `turnstep run TEXT`: one Turn, from its input to its end.
 */
import type { StreamItem } from '../../client/index.ts'
import { DEFAULT_TENANT } from '../../core/ids.ts'
import { EXIT, exitCodeOfEnd } from '../exit-code.ts'
import { type FollowedEnd, followTurn } from '../follow-turn.ts'
import { exitOnInterrupt, onInterrupt } from '../interrupts.ts'
import { type CommonOptions, readSettings } from '../options.ts'
import { printEvent } from '../output/json-lines.ts'
import { type Outlet, streamOutlet } from '../output/outlet.ts'
import { TurnPrinter } from '../output/turn-printer.ts'
import { pickAgent } from '../pick-agent.ts'
import { settle } from '../stack/settle.ts'
import { Stack } from '../stack/stack.ts'
import { stopInput } from '../stop-input.ts'

export interface RunOptions extends CommonOptions {
  readonly agent?: string
}

/** Runs one Turn and returns the exit code of its end. */
export async function run(text: string, options: RunOptions): Promise<number> {
  const outlet = streamOutlet()
  const settings = readSettings(options)
  const ignore = exitOnInterrupt()
  const stack = await Stack.open({ settings, folder: process.cwd(), note: outlet.note })
  try {
    await pickAgent(stack, options.session, options.agent)
    ignore()
    return await Promise.race([takeTurn(stack, text, { ...options, outlet }), stack.failure])
  } finally {
    ignore()
    outlet.endLine()
    exitOnInterrupt()
    await stack.close()
  }
}

async function takeTurn(
  stack: Stack,
  text: string,
  { session: id, json, outlet }: RunOptions & { readonly outlet: Outlet },
): Promise<number> {
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
  const printer = new TurnPrinter({ outlet, isOwnInput: (input) => input === inputId })
  const show = (item: StreamItem): void => {
    if (json !== true) printer.show(item)
    else if (item.kind === 'event') printEvent(item.event)
  }
  try {
    const end = await followTurn(session, { inputId, after: seq, signal: left.signal, show })
    if (end.kind === 'left') return leave(outlet, left.signal.reason)
    await settle(session)
    return exitCodeOf(end)
  } finally {
    ignore()
  }
}

/** The Turn stays open, and goes on as soon as a worker runs for this data folder. */
function leave(outlet: Outlet, reason: unknown): number {
  if (reason instanceof Error) throw reason
  outlet.note('Leaving. A turn that is still open goes on with the next start.')
  return reason === 'terminate' ? EXIT.terminated : EXIT.aborted
}

function exitCodeOf(end: Exclude<FollowedEnd, { kind: 'left' }>): number {
  switch (end.kind) {
    case 'ended':
      return exitCodeOfEnd(end.reason)
    case 'withdrawn':
      return EXIT.aborted
    case 'refused':
      return EXIT.failed
  }
}
