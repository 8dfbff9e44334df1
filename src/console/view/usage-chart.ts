/**
 * Tokens of a Turn's Steps as bars, input below and output above. Lengths are in units of the picture.
 */
import type { StepView } from './step-view.ts'

export interface Bar {
  readonly step: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly isEstimated: boolean
  /** Micro-USD; absent without a price. */
  readonly cost?: number
  readonly x: number
  readonly width: number
  readonly input: { readonly y: number; readonly height: number }
  readonly output: { readonly y: number; readonly height: number }
}

export interface UsageChart {
  readonly bars: readonly Bar[]
  readonly width: number
  readonly height: number
  /** Tokens at the top of the picture. */
  readonly top: number
}

const HEIGHT = 64
const PITCH = 14
const GAP = 4

export function usageChartOf(
  steps: readonly StepView[],
  costs: ReadonlyMap<number, number> = new Map(),
): UsageChart {
  const spent = steps.filter(({ usage }) => usage.inputTokens + usage.outputTokens > 0)
  const top = Math.max(1, ...spent.map(({ usage }) => usage.inputTokens + usage.outputTokens))
  const scale = (tokens: number): number => Math.round((tokens / top) * HEIGHT * 100) / 100
  const bars = spent.map(({ step, usage }, index): Bar => {
    const input = scale(usage.inputTokens)
    const output = scale(usage.outputTokens)
    const cost = costs.get(step)
    return {
      step,
      inputTokens: usage.inputTokens,
      outputTokens: usage.outputTokens,
      isEstimated: usage.estimated === true,
      ...(cost === undefined ? {} : { cost }),
      x: index * PITCH,
      width: PITCH - GAP,
      input: { y: HEIGHT - input, height: input },
      output: { y: HEIGHT - input - output, height: output },
    }
  })
  return { bars, width: Math.max(PITCH, bars.length * PITCH - GAP), height: HEIGHT, top }
}
