import { DEFAULT_TENANT } from '../../core/ids.ts'
import type { SessionStore } from '../../core/ports.ts'

const MAX_NAMED = 10

/** Says which other Sessions have an open Turn: the worker goes on with those, too. */
export async function announceOpenTurns(
  store: SessionStore,
  session: string,
  note: (line: string) => void,
): Promise<void> {
  const open = await store.openTurns()
  const others = open.flatMap(({ key }) =>
    key.tenant === DEFAULT_TENANT && key.session !== session ? [key.session] : [],
  )
  if (others.length === 0) return
  const named = others.slice(0, MAX_NAMED).join(', ')
  const more = others.length > MAX_NAMED ? ` and ${others.length - MAX_NAMED} more` : ''
  note(`Open turns of other sessions go on, too: ${named}${more}`)
}
