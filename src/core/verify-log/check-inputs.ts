import type { Event, EventOf, InputFate } from '../event.ts'
import type { CheckFactory, Report } from './check.ts'

/** The open Turn, as far as inputs are concerned. */
interface Claims {
  readonly start: EventOf<'turn/start'>
  /** Ids of all its claims. */
  readonly claimed: string[]
  /** Its `user/message` before the first Step. */
  readonly opening: EventOf<'user/message'>[]
  isOpening: boolean
}

/** Every input has one fate, and a Turn says truly what it claimed and what it is called after. */
export const checkInputs: CheckFactory = (report) => {
  const fates = new Map<string, InputFate>()
  let claims: Claims | undefined

  const settleInput = (event: Event, inputId: string, fate: InputFate): void => {
    const earlier = fates.get(inputId)
    if (earlier === undefined) fates.set(inputId, fate)
    else report('one-fate', `input ${inputId} is ${fate}, but was ${earlier} before`, event)
  }

  const closeOpening = (event: Event): void => {
    if (claims?.isOpening) checkOpening(claims, report, event)
    if (claims !== undefined) claims.isOpening = false
  }

  return {
    visit(event) {
      switch (event.type) {
        case 'turn/start':
          claims = { start: event, claimed: [], opening: [], isOpening: true }
          break
        case 'user/message':
          settleInput(event, event.inputId, 'claimed')
          if (claims !== undefined) claimInput(claims, event, report)
          break
        case 'input/withdrawn':
          settleInput(event, event.inputId, 'withdrawn')
          break
        case 'input/refused':
          settleInput(event, event.inputId, 'refused')
          break
        case 'step/start':
        case 'turn/continued':
          closeOpening(event)
          break
        case 'turn/end':
          closeOpening(event)
          if (claims !== undefined) checkEnd(event, claims.claimed, { fates, report })
          claims = undefined
          break
        default:
          break
      }
    },
  }
}

/** All of `next-step` is claimed first, then at most one of `next-turn`; at later Steps only `next-step`. */
function claimInput(claims: Claims, event: EventOf<'user/message'>, report: Report): void {
  claims.claimed.push(event.inputId)
  if (event.step !== undefined) {
    if (event.via !== 'steer')
      report('claim-lanes', `followup ${event.inputId} joined step ${event.step}`, event)
    return
  }
  if (!claims.isOpening) return
  if (claims.opening.some((earlier) => earlier.via === 'followup')) {
    report('claim-lanes', `${event.inputId} was claimed behind the followup that opens the turn`, event)
  }
  if (claims.start.inputs[claims.opening.length] !== event.inputId) {
    report('claims-recorded', `turn/start does not name ${event.inputId} in this place`, event)
  }
  claims.opening.push(event)
}

function checkOpening({ start, opening }: Claims, report: Report, event: Event): void {
  if (start.inputs.length === 0) report('claims-recorded', 'a turn is opened by at least one input', event)
  if (opening.length < start.inputs.length) {
    report(
      'claims-recorded',
      `only ${opening.length} of the inputs that turn/start names were claimed`,
      event,
    )
    return
  }
  const opener = opening.find((message) => message.via === 'followup') ?? opening[0]
  if (opener !== undefined && opener.inputId !== start.turnId) {
    report('turn-id', `turn ${start.turnId} was opened by ${opener.inputId}`, event)
  }
}

function checkEnd(
  event: EventOf<'turn/end'>,
  claimed: readonly string[],
  log: { readonly fates: ReadonlyMap<string, InputFate>; readonly report: Report },
): void {
  const named = new Set(event.inputs.map(({ id }) => id))
  const wrong = [
    ...event.inputs
      .filter(({ id, fate }) => (fate === 'claimed') !== claimed.includes(id))
      .map(({ id }) => id),
    ...event.inputs.filter(({ id, fate }) => log.fates.get(id) !== fate).map(({ id }) => id),
    ...claimed.filter((id) => !named.has(id)),
    ...(named.size < event.inputs.length ? ['one of them twice'] : []),
  ]
  if (wrong.length > 0) {
    log.report('end-inputs', `turn/end and the log differ about ${[...new Set(wrong)].join(', ')}`, event)
  }
}
