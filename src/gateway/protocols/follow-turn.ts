/**
 * From a request to the items of one Turn: what every protocol's routes share.
 */
import type { Context } from 'hono'
import type { Session, StreamItem } from '../../client/index.ts'
import { isTurnstepError } from '../../core/errors.ts'
import type { Content } from '../../core/message.ts'
import type { GatewayDeps, GatewayEnv } from '../gateway-deps.ts'
import type { TurnChoice } from './turn-story.ts'

/** A Turn, and where in the log to begin reading of it. */
export interface FollowedTurn {
  readonly session: Session
  readonly choice: TurnChoice
  readonly after: number
}

/**
 * Sends an input, unless it was sent before; answers with what becomes of it. The same id opens one Turn. One that is
 * not new has an answer that is read rather than asked for: whoever knows an id is not yet its sender.
 */
export async function sendAndFollow(
  session: Session,
  inputId: string,
  content: Content,
): Promise<{ readonly turn: FollowedTurn; readonly isNew: boolean }> {
  const known = await turnOf(session, inputId)
  if (known !== undefined) return { turn: known, isNew: false }
  const { seq } = await session.position()
  await session.followup(content, { id: inputId })
  return { turn: { session, choice: { inputId }, after: seq }, isNew: true }
}

/** What became of an input; undefined while the log has nothing of it. */
export async function turnOf(session: Session, inputId: string): Promise<FollowedTurn | undefined> {
  const place = await session.placeOf(inputId)
  if (place === undefined) return undefined
  const { after, turnId } = place
  return { session, choice: turnId === undefined ? { inputId } : { turnId }, after }
}

/** The Turn that is open, or that an input which waits will open; undefined for a Session at rest. */
export async function runningTurn(session: Session): Promise<FollowedTurn | undefined> {
  const { seq, turnStart } = await session.position()
  if (turnStart !== undefined) return { session, choice: 'first', after: turnStart - 1 }
  const { phase, turnId, pending } = await session.status()
  // A workflow without a Turn and without inputs is about to end. Where no worker says what waits, something may.
  const isComing = turnId !== undefined || pending === undefined || pending.length > 0
  return phase !== 'idle' && isComing ? { session, choice: 'first', after: seq } : undefined
}

/** What reads a Turn's items and says when it has seen enough. */
export interface TurnReader<T> {
  readonly isOver: boolean
  read(item: StreamItem): readonly T[]
}

export interface Reading {
  readonly signal: AbortSignal
  /** Called when the reader is too far behind. */
  readonly cut: () => void
}

/**
 * What a reader makes of a Turn, as it goes. Ends when the reader has seen enough; before that, with the gateway or by
 * the signal, so look at `isOver`.
 */
export async function* readTurn<T>(
  c: Context<GatewayEnv>,
  deps: GatewayDeps,
  { turn, reader, signal, cut }: { readonly turn: FollowedTurn; readonly reader: TurnReader<T> } & Reading,
): AsyncGenerator<T> {
  const { session, after } = turn
  const { tenant } = c.get('principal')
  for await (const items of deps.tails.follow(session, { tenant, after, signal, onOverflow: cut })) {
    for (const item of items) {
      if (item.kind === 'status') continue
      yield* reader.read(item)
      if (reader.isOver) return
    }
  }
}

/** Stops the Turn that runs, and waits for its end. The same answer as that of a Session's `abort`. */
export async function stopTurn(session: Session, timeoutMs: number): Promise<Response> {
  try {
    return Response.json(await session.abort({ timeoutMs }))
  } catch (error) {
    if (!isTurnstepError(error) || error.code !== 'abort-pending') throw error
    return Response.json({ status: 'abort-pending' }, { status: 202 })
  }
}
