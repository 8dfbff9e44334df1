import { isId } from './ids.ts'
import type { CarriedInbox, CarriedTurn, QueuedInput, RefusedInput, TurnOpening } from './wire.ts'

/**
 * Reads what a run starts with. Anyone may start a workflow with anything: what cannot be read is left out,
 * because an opening that fails its first task would hold the Session for ever.
 */
export function readOpening(value: unknown): TurnOpening {
  if (!isRecord(value)) return {}
  const { inbox, turn, input } = value
  return {
    v: 1,
    ...(isRecord(inbox) ? { inbox: carriedInbox(inbox) } : {}),
    ...(isCarriedTurn(turn) ? { turn } : {}),
    ...(input === undefined ? {} : { input: input as NonNullable<TurnOpening['input']> }),
  }
}

function carriedInbox({ nextStep, nextTurn, refused }: Record<string, unknown>): CarriedInbox {
  return {
    nextStep: list(nextStep).filter(isQueued),
    nextTurn: list(nextTurn).filter(isQueued),
    refused: list(refused).filter(isRefused),
  }
}

/** By its shape alone: what was accepted once is not judged again on the way. */
function isQueued(value: unknown): value is QueuedInput {
  return isRecord(value) && isId(value['id']) && value['content'] !== undefined
}

function isRefused(value: unknown): value is RefusedInput {
  return isRecord(value) && isId(value['id']) && typeof value['reason'] === 'string'
}

function isCarriedTurn(value: unknown): value is CarriedTurn {
  return (
    isRecord(value) &&
    isId(value['turnId']) &&
    isRecord(value['plan']) &&
    isRecord(value['plan']['tools']) &&
    isRecord(value['guard']) &&
    isRecord(value['counters']) &&
    Array.isArray(value['claimed']) &&
    ['turn', 'step', 'seq', 'remainingMs'].every((field) => typeof value[field] === 'number') &&
    (value['spent'] === undefined || isSpending(value['spent'])) &&
    (value['receipts'] === undefined || isReceipts(value['receipts'])) &&
    (value['replan'] === undefined || typeof value['replan'] === 'string')
  )
}

function isSpending(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === 'number')
}

function isReceipts(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      (one) =>
        Array.isArray(one) && typeof one[0] === 'string' && (one[1] === 'repeated' || one[1] === 'denied'),
    )
  )
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : []
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
