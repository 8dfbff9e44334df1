import { z } from 'zod'

/** The handle of a spill, as results name it. */
export const spillArgument = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .describe('Id of the spill, 64 hexadecimal digits, as the cut result names it.')

export const columnArgument = z
  .int()
  .min(1)
  .default(1)
  .describe('Where to begin in the first line, in characters from 1; for very long lines.')
