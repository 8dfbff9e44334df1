import { redactForLog } from '../../activities/redact-for-log.ts'

/** What one check of `doctor` found. */
export type Finding =
  | { readonly state: 'ok'; readonly said: string }
  /** Works, and yet a person should know. */
  | { readonly state: 'note'; readonly said: string }
  | { readonly state: 'wrong'; readonly said: string; readonly todo: string }

export interface Check {
  readonly name: string
  run(): Promise<Finding>
}

export function ok(said: string): Finding {
  return { state: 'ok', said }
}

export function note(said: string): Finding {
  return { state: 'note', said }
}

export function wrong(said: string, todo: string): Finding {
  return { state: 'wrong', said, todo }
}

/** A failure as a finding. Messages of ours say what to do themselves. */
export function failed(error: unknown): Finding {
  return wrong(redactForLog(error instanceof Error ? error.message : String(error)), '')
}
