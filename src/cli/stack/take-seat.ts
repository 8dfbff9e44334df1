import { setTimeout as delay } from 'node:timers/promises'
import type { Environment } from '../../config.ts'
import { TurnstepError } from '../../core/errors.ts'
import { type Crew, loadCrew } from './load-crew.ts'
import type { StackOptions } from './stack-options.ts'
import { findAgent, type WantedAgent } from './wanted-agent.ts'
import { type SeatHolder, WorkerSeat } from './worker-seat.ts'

export type FoundSeat =
  /** This process is to run the worker, with this crew. */
  | { readonly kind: 'taken'; readonly seat: WorkerSeat; readonly crew: Crew }
  /** Another process runs it. */
  | { readonly kind: 'held'; readonly seat: WorkerSeat; readonly holder: SeatHolder }

const CHECK_MS = 50
/** A holder that has not said who it is after this has got stuck while it was starting. */
const TIMEOUT_MS = 30_000

/**
 * Takes the worker's seat, or finds who has it, and says by the first note which model answers. Fails with
 * `invalid-config`, also when the holder works on another folder or database, or the agent is not there.
 */
export async function takeOrFindSeat(options: StackOptions, wanted: WantedAgent): Promise<FoundSeat> {
  const { settings, folder, note } = options
  const seat = new WorkerSeat(settings)
  try {
    const deadline = performance.now() + TIMEOUT_MS
    for (;;) {
      if (seat.tryTake()) return { kind: 'taken', seat, crew: await manSeat(seat, options, wanted) }
      const holder = seat.holder()
      if (holder !== undefined) {
        checkHolder(holder, settings, folder)
        const { description } = findAgent(holder.agents, wanted)
        note(`${description} (by process ${holder.pid}, which runs the worker of ${settings.dataDir})`)
        return { kind: 'held', seat, holder }
      }
      if (performance.now() > deadline) throw stuck(settings)
      await delay(CHECK_MS)
    }
  } catch (error) {
    seat.release()
    throw error
  }
}

/** Loads the crew for a seat that was taken, and says so here and to the other processes. */
export async function manSeat(seat: WorkerSeat, options: StackOptions, wanted: WantedAgent): Promise<Crew> {
  const { settings, folder, note } = options
  const crew = await loadCrew(settings, folder)
  try {
    note(findAgent(crew.announced, wanted).description)
    const database = JSON.stringify(settings.database)
    seat.announce({ pid: process.pid, folder, agents: crew.announced, database })
    return crew
  } catch (error) {
    await crew.close()
    throw error
  }
}

function checkHolder(holder: SeatHolder, settings: Environment, folder: string): void {
  const isSamePlace = holder.folder === folder && holder.database === JSON.stringify(settings.database)
  if (isSamePlace) return
  const what = holder.folder === folder ? 'with another DATABASE_URL' : `for ${holder.folder}`
  throw new TurnstepError(
    'invalid-config',
    `${settings.dataDir} is used by process ${holder.pid} ${what}. Set TURNSTEP_DATA to another folder here, or end that process.`,
  )
}

function stuck({ dataDir }: Environment): TurnstepError {
  return new TurnstepError(
    'timed-out',
    `Another process has been starting a worker for ${dataDir} for ${TIMEOUT_MS / 1_000} seconds. End it, and try again.`,
  )
}
