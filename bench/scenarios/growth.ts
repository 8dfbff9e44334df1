/**
 * How much longer a Step takes late in a Turn than early, once what the conversation itself costs is taken off.
 *
 * A Step's time is here from the provider's answer to its next request. What the provider does with a request that
 * grows, which is to read and to check it, is nobody's growth.
 */
import type { Figure } from '../figure.ts'
import { sizeName } from '../figure.ts'
import type { Scenario } from '../scenario.ts'
import { median } from '../statistics.ts'
import { openInProcess } from '../subjects/in-process.ts'
import type { Conversation } from '../subjects/subject.ts'
import { openTurnstep } from '../subjects/turnstep.ts'
import { withOpened } from '../subjects/with-subjects.ts'
import type { World } from '../world/world.ts'

const EARLY = 10
/** Gaps on either side of a Step that are looked at. */
const HALF_WINDOW = 9

interface Growth {
  readonly earlyMs: number
  readonly lateMs: number
}

export const growth: Scenario = {
  name: 'growth',
  title: 'A late Step against Step 10',
  run: async (world) => {
    const late = world.pick(100, 500)
    const figures: Figure[] = []
    for (const bytes of world.pick([5_000], [200, 5_000])) {
      const size = sizeName(bytes)
      figures.push(...figuresOf(size, late, await measure(world, { late, bytes })))
    }
    return figures
  },
}

function figuresOf(size: string, late: number, { ours, plain }: Record<'ours' | 'plain', Growth>): Figure[] {
  const ownLateMs = ours.lateMs - (plain.lateMs - plain.earlyMs)
  return [
    {
      name: `Step ${EARLY}, ${size}`,
      unit: 'ms',
      value: ours.earlyMs,
      others: { 'in process': plain.earlyMs },
    },
    { name: `Step ${late}, ${size}`, unit: 'ms', value: ours.lateMs, others: { 'in process': plain.lateMs } },
    { name: `growth of its own, ${size}`, unit: '×', value: ownLateMs / ours.earlyMs, target: 1.1 },
  ]
}

/** Medians over rounds, in each of which both take their Steps. */
async function measure(
  world: World,
  { late, bytes }: { readonly late: number; readonly bytes: number },
): Promise<Record<'ours' | 'plain', Growth>> {
  return withOpened(world, [openTurnstep, openInProcess], async (subjects) => {
    const rounds: Record<string, Growth[]> = {}
    for (const { subject } of subjects) await subject.converse({ steps: HALF_WINDOW * 2, bytes })
    for (let round = 0; round < world.pick(1, 3); round += 1) {
      for (const { subject } of subjects) {
        const conversation = await subject.converse({ steps: late + HALF_WINDOW + 1, bytes })
        rounds[subject.name] = [...(rounds[subject.name] ?? []), growthOf(conversation, late)]
      }
    }
    return { ours: medianGrowth(rounds['turnstep']), plain: medianGrowth(rounds['in process']) }
  })
}

function growthOf({ begunAt, answeredAt = [] }: Conversation, late: number): Growth {
  const steps = begunAt.slice(1).map((at, index) => at - (answeredAt[index] ?? Number.NaN))
  const around = (step: number): number => median(steps.slice(step - 1 - HALF_WINDOW, step + HALF_WINDOW))
  return { earlyMs: around(EARLY), lateMs: around(late) }
}

function medianGrowth(rounds: readonly Growth[] = []): Growth {
  return {
    earlyMs: median(rounds.map(({ earlyMs }) => earlyMs)),
    lateMs: median(rounds.map(({ lateMs }) => lateMs)),
  }
}
