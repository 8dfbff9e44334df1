/**
 * What the provider of the benchmark does in a conversation. The text of the input that opens it is the plan.
 */
export type Plan = {
  /** Names the conversation; the provider keeps its times under it. */
  readonly run: string
} & (
  | /** Asks for the tool `lookup` so many Steps one after another, each result so large; then says a last word. */
  {
      readonly kind: 'steps'
      readonly steps: number
      readonly bytes: number
      /** Calls a Step. Default 1. */
      readonly calls?: number
    } /** Says a few words and nothing more until it is cut; asked again, it answers. */
  | { readonly kind: 'hang' } /** Streams so many chunks at a steady pace. */
  | { readonly kind: 'stream'; readonly chunks: number; readonly gapMs: number }
)

let count = 0

/** A name that no other run of this process has. */
export function newRun(): string {
  count += 1
  return `run-${count}`
}

/** The input that carries a plan. */
export function textOf(plan: Plan): string {
  return JSON.stringify(plan)
}
