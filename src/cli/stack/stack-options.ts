import type { Environment } from '../../config.ts'

export interface StackOptions {
  readonly settings: Environment
  /** The folder that agents work on and that may have a configuration file. */
  readonly folder: string
  /** The Session that this is for, whose agent is announced. */
  readonly session?: string
  /** The agent that is asked for. */
  readonly agent?: string | undefined
  /** How long the worker may take to finish what it has under way once the stack closes. Default 2,000. */
  readonly graceMs?: number
  /** Gets lines for a person; the first says which model answers. */
  readonly note: (line: string) => void
  /** Gets what Temporal's SDK has to say of trouble. Default: a file in the data folder. */
  readonly log?: (line: string) => void
}
