import { z } from 'zod'
import type { Clock } from '../../core/ports.ts'
import { defineTool, type Tool } from '../define-tool.ts'

const SYSTEM_CLOCK: Clock = { now: () => new Date() }

/** `{ timeZone? } → { iso, timeZone }`: local time of that zone with its offset, to the second. */
export function currentTimeTool(clock: Clock = SYSTEM_CLOCK): Tool {
  return defineTool({
    name: 'current_time',
    description: "Tells the date and time now, as ISO 8601 with the zone's offset.",
    input: z.strictObject({
      timeZone: z
        .string()
        .max(64)
        .optional()
        .describe('IANA name such as Europe/Berlin or UTC. Default: the zone of this machine.'),
    }),
    effect: 'read',
    result: { outside: false },
    run: ({ timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone }) => ({
      iso: isoInZone(clock.now(), timeZone),
      timeZone,
    }),
  })
}

/** {@link currentTimeTool} on the clock of this machine. */
export const currentTime: Tool = currentTimeTool()

function isoInZone(instant: Date, timeZone: string): string {
  const parts = new Map(
    formatterOf(timeZone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? ''
  const offset = part('timeZoneName').replace('GMT', '') || '+00:00'
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}${offset}`
}

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      timeZoneName: 'longOffset',
    })
  } catch (cause) {
    throw new RangeError(
      `There is no time zone ${JSON.stringify(timeZone)}. Use an IANA name such as Europe/Berlin.`,
      { cause },
    )
  }
}
