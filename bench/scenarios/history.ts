/**
 * What a Step leaves in Temporal's history: how much, and that none of it is conversation.
 */
import type { Figure } from '../figure.ts'
import { sizeName } from '../figure.ts'
import type { Scenario } from '../scenario.ts'
import { installPeers, openOpenaiAgents } from '../subjects/openai-agents.ts'
import { openTurnstep } from '../subjects/turnstep.ts'
import type { StagedSubject } from '../subjects/with-subjects.ts'
import { withOpened } from '../subjects/with-subjects.ts'
import type { HistorySize } from '../world/read-history.ts'
import { countEventsWith, historySize } from '../world/read-history.ts'

const MAX_EVENTS = 12
const MAX_BYTES = 2_000
/** What only the model or the tool says. */
const WORDS = ['call-mark', 'result-mark', 'answer-mark', 'quick brown fox']

interface PerStep extends HistorySize {
  /** Of the whole history. */
  readonly eventsWithText: number
}

export const history: Scenario = {
  name: 'history',
  title: "A Step in Temporal's history",
  run: async (world) => {
    const peers = (await installPeers(world.options.log)) ? [openOpenaiAgents] : []
    return withOpened(world, [openTurnstep, ...peers], async ([ours, theirs]) => {
      const figures: Figure[] = []
      for (const bytes of [200, 5_000, 50_000]) {
        const few = 2
        // The plugin sends every result with every later request: 50 kB soon reach Temporal's limits.
        const many = few + (bytes > 10_000 ? 10 : world.pick(20, 80))
        const perStep = (of: StagedSubject | undefined) => of && measure(of, { bytes, few, many })
        figures.push(...figuresOf(sizeName(bytes), await perStep(ours), await perStep(theirs)))
      }
      return figures
    })
  },
}

/** What more Steps add, by Step; so few that the history is that of one run. */
async function measure(
  { subject, stage }: StagedSubject,
  { bytes, few, many }: { readonly bytes: number; readonly few: number; readonly many: number },
): Promise<PerStep> {
  const short = await subject.converse({ steps: few, bytes })
  const long = await subject.converse({ steps: many, bytes })
  const before = await historySize(stage.temporal, short.workflowId ?? '')
  const after = await historySize(stage.temporal, long.workflowId ?? '')
  return {
    events: (after.events - before.events) / (many - few),
    bytes: (after.bytes - before.bytes) / (many - few),
    eventsWithText: await countEventsWith(stage.temporal, long.workflowId ?? '', WORDS),
  }
}

function figuresOf(size: string, ours: PerStep | undefined, theirs: PerStep | undefined): readonly Figure[] {
  const figure = (name: string, field: keyof PerStep, target: number): Omit<Figure, 'unit'> => ({
    name: `${name}, ${size}`,
    value: ours?.[field] ?? Number.NaN,
    target,
    others: { 'openai-agents': theirs?.[field] },
  })
  return [
    { ...figure('events', 'events', MAX_EVENTS), unit: '' },
    { ...figure('bytes', 'bytes', MAX_BYTES), unit: 'B' },
    { ...figure('events with text', 'eventsWithText', 0), unit: '' },
  ]
}
