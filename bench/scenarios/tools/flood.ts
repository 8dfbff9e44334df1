/**
 * What a worker needs for a tool that streams 200 MB.
 */
import type { Figure } from '../../figure.ts'
import { openTurnstep } from '../../subjects/turnstep.ts'
import type { Stage } from '../../world/stage.ts'
import type { World } from '../../world/world.ts'

const BYTES = 200_000_000
const TARGET_GROWTH_MB = 64
const WARM_UP_STEPS = 20

/** As `Strain` tells of a process. */
export interface ProcessStrain {
  readonly growthMb: number
  readonly peakMb: number
  readonly longestStallMs: number
}

export async function measureFlood(world: World): Promise<readonly Figure[]> {
  const redacted = await world.stage('flood', (stage) => flood(stage, 'redacted'))
  const asItIs = await world.stage('flood', (stage) => flood(stage, 'as-it-is'))
  return [...figuresOf('redacted', redacted), ...figuresOf('redaction off', asItIs)]
}

interface Flood extends ProcessStrain {
  readonly seconds: number
}

async function flood(stage: Stage, streams: 'redacted' | 'as-it-is'): Promise<Flood> {
  const subject = await openTurnstep(stage, { streams })
  await subject.converse({ steps: WARM_UP_STEPS, bytes: 200 })
  await subject.process.call('beginStrain')
  const { begunAt, answeredAt } = await subject.converse({ steps: 1, bytes: BYTES })
  const strain = await subject.process.call<ProcessStrain>('endStrain')
  return { ...strain, seconds: ((begunAt[1] ?? Number.NaN) - (answeredAt?.[0] ?? Number.NaN)) / 1_000 }
}

function figuresOf(name: string, { growthMb, longestStallMs, seconds }: Flood): readonly Figure[] {
  return [
    { name: `200 MB, ${name}: growth of the worker`, unit: 'MB', value: growthMb, target: TARGET_GROWTH_MB },
    { name: `200 MB, ${name}: time`, unit: 's', value: seconds },
    { name: `200 MB, ${name}: longest stall`, unit: 'ms', value: longestStallMs },
  ]
}
