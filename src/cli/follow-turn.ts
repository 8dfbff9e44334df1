import type { Session, StreamItem } from '../client/index.ts'
import type { EndReason, Event, RefusalReason } from '../core/event.ts'

/** What following an input came to. */
export type FollowedEnd =
  | { readonly kind: 'ended'; readonly reason: EndReason }
  | { readonly kind: 'withdrawn' }
  | { readonly kind: 'refused'; readonly reason: RefusalReason }
  /** The signal fired first. */
  | { readonly kind: 'left' }

export interface FollowTurnOptions {
  /** The followup whose Turn is followed. */
  readonly inputId: string
  /** Only what comes after this `seq`. */
  readonly after: number
  readonly signal: AbortSignal
  /** Gets what belongs to that Turn, in order. */
  readonly show: (item: StreamItem) => void
}

/** Shows one Turn until its end, or its input's other fate. Fails when nothing is left that could bring one. */
export async function followTurn(session: Session, options: FollowTurnOptions): Promise<FollowedEnd> {
  const { inputId, after, show } = options
  const done = new AbortController()
  const signal = AbortSignal.any([options.signal, done.signal])
  let failure: Error | undefined
  session
    .turn(inputId)
    .result({ signal })
    .catch((error: unknown) => {
      failure = error instanceof Error ? error : new Error(String(error))
      done.abort()
    })
  try {
    for await (const item of session.events({ follow: true, live: true, after, signal })) {
      if (!concerns(item, inputId)) continue
      show(item)
      const end = item.kind === 'event' ? endIn(item.event, inputId) : undefined
      if (end !== undefined) return end
    }
  } finally {
    done.abort()
  }
  if (options.signal.aborted || failure === undefined) return { kind: 'left' }
  throw failure
}

/** The Turn that a followup opens has its id. */
function concerns(item: StreamItem, inputId: string): boolean {
  if (item.kind === 'event')
    return item.event.turnId === inputId || ('inputId' in item.event && item.event.inputId === inputId)
  return (item.kind === 'delta' ? item.delta.turnId : item.turnId) === inputId
}

function endIn(event: Event, inputId: string): FollowedEnd | undefined {
  if (event.type === 'turn/end') return { kind: 'ended', reason: event.reason }
  if (event.type === 'input/withdrawn' && event.inputId === inputId) return { kind: 'withdrawn' }
  if (event.type === 'input/refused' && event.inputId === inputId)
    return { kind: 'refused', reason: event.reason }
  return undefined
}
