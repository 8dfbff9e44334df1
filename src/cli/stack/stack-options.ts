import type { Environment } from '../../config.ts'

export interface StackOptions {
  readonly settings: Environment
  /** The folder that agents work on and that may have a configuration file. */
  readonly folder: string
  /** Gets lines for a person; the first says which model answers. */
  readonly note: (line: string) => void
  /** Gets what Temporal's SDK has to say of trouble. Default: a file in the data folder. */
  readonly log?: (line: string) => void
}
