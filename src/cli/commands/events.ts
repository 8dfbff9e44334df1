import { Client, Connection } from '@temporalio/client'
import { type StreamItem, Turnstep } from '../../client/index.ts'
import type { SessionStore } from '../../core/ports.ts'
import { openStore } from '../../open-store.ts'
import { EXIT } from '../exit-code.ts'
import { onInterrupt } from '../interrupts.ts'
import { type CommonOptions, readSettings } from '../options.ts'
import { describeEvent } from '../output/describe-event.ts'
import { printItem } from '../output/json-lines.ts'
import { oneLine } from '../output/terminal-text.ts'
import { openExistingStore } from '../stack/read-store.ts'

export interface EventsOptions extends CommonOptions {
  /** Stays for what comes. */
  readonly follow?: true
  /** Only events after this `seq`. */
  readonly after: number
  /** Also the text that is being written. */
  readonly live?: true
}

/** `turnstep events`: the log of a Session. Needs the store, and nothing that runs. */
export async function events(options: EventsOptions): Promise<number> {
  const settings = readSettings(options)
  const store =
    options.follow === true ? await openStore(settings.database) : await openExistingStore(settings)
  if (store === undefined) return EXIT.completed
  const left = new AbortController()
  const ignore = onInterrupt(() => left.abort())
  try {
    await print(store, options, left.signal)
    return EXIT.completed
  } finally {
    ignore()
    await store.close()
  }
}

async function print(store: SessionStore, options: EventsOptions, signal: AbortSignal): Promise<void> {
  const { session, after, follow = false, live, json } = options
  // Reading events never asks Temporal, so this never connects.
  const temporal = new Client({ connection: Connection.lazy() })
  const reader = new Turnstep({ temporal, store }).session(session)
  const query = { after, follow, signal }
  const show = (item: StreamItem): void => (json === true ? printItem(item) : printLineOf(item))
  if (live === true) for await (const item of reader.events({ ...query, live })) show(item)
  else for await (const event of reader.events(query)) show({ kind: 'event', event })
}

function printLineOf(item: StreamItem): void {
  process.stdout.write(`${describe(item)}\n`)
}

function describe(item: StreamItem): string {
  if (item.kind === 'event') return describeEvent(item.event)
  const { step, attempt } = item.kind === 'delta' ? item.delta : item
  const place = `step ${step}, attempt ${attempt}`
  if (item.kind === 'reset') return `       live   ${place} starts over`
  const { text, reasoning, toolCall } = item.delta
  const said = text ?? (reasoning === undefined ? `calls ${toolCall}` : `reasoning ${reasoning}`)
  return `       live   ${place}: ${JSON.stringify(oneLine(said, 160))}`
}
