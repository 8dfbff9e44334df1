/**
 * Temporal's history of a workflow: its size, and what can be read in it.
 */
import type { Client } from '@temporalio/client'

export interface HistorySize {
  readonly events: number
  /** As the server counts them: the events as they are stored. */
  readonly bytes: number
}

export async function historySize(temporal: Client, workflowId: string): Promise<HistorySize> {
  const { historyLength, historySize: bytes = Number.NaN } = await temporal.workflow
    .getHandle(workflowId)
    .describe()
  return { events: historyLength, bytes }
}

/** How many events of a history contain one of the words, in any payload or field. */
export async function countEventsWith(
  temporal: Client,
  workflowId: string,
  words: readonly string[],
): Promise<number> {
  const { events } = await temporal.workflow.getHandle(workflowId).fetchHistory()
  return (events ?? []).filter((event) => {
    const text = textIn(event)
    return words.some((word) => text.includes(word))
  }).length
}

/** All text in a value, bytes read as UTF-8. */
function textIn(value: unknown): string {
  if (typeof value === 'string') return value
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8')
  if (typeof value !== 'object' || value === null) return ''
  return Object.values(value).map(textIn).join('\n')
}
