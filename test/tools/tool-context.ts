import type { ToolRunContext } from '../../src/core/ports.ts'
import type { SpillReader } from '../../src/core/spill.ts'

const NO_SPILLS: SpillReader = {
  find: () => Promise.resolve(undefined),
  chunk: () => Promise.resolve(undefined),
}

/** What a tool is handed beside its arguments, with a signal that is not aborted unless one is given. */
export function toolContext(signal = new AbortController().signal): ToolRunContext {
  return {
    signal,
    requestId: 'req-1',
    callId: 'c1_1_0',
    session: { tenant: 'default', session: 's1' },
    turnId: 't1',
    spills: NO_SPILLS,
  }
}
