import { formatCost, formatCount } from '../view/format.ts'
import type { StepView } from '../view/step-view.ts'
import { usageChartOf } from '../view/usage-chart.ts'
import { ScrollBox } from './scroll-box.tsx'

/** Tokens of each Step as bars, and the same as a table. */
export function UsageChart({
  steps,
  costs,
}: {
  readonly steps: readonly StepView[]
  readonly costs: ReadonlyMap<number, number>
}) {
  const { bars, width, height, top } = usageChartOf(steps, costs)
  if (bars.length === 0) return null
  const isPriced = bars.some(({ cost }) => cost !== undefined)
  const sum = (of: (bar: (typeof bars)[number]) => number): number =>
    bars.reduce((all, bar) => all + of(bar), 0)
  return (
    <details className="usage">
      <summary data-nav>
        Tokens per Step
        <span className="quiet small">
          {formatCount(sum(({ inputTokens }) => inputTokens))} in ·{' '}
          {formatCount(sum(({ outputTokens }) => outputTokens))} out
          {isPriced ? ` · ${formatCost(sum(({ cost = 0 }) => cost))}` : ''}
        </span>
      </summary>
      <div className="usage-body">
        <figure>
          <svg
            viewBox={`0 0 ${width} ${height}`}
            width={width * 1.5}
            height={height * 1.5}
            role="img"
            aria-label={`Tokens of ${bars.length} Steps; the same is in the table beside it`}
          >
            {bars.map((bar) => (
              <g key={bar.step}>
                <rect
                  className="bar-input"
                  x={bar.x}
                  width={bar.width}
                  y={bar.input.y}
                  height={bar.input.height}
                />
                <rect
                  className="bar-output"
                  x={bar.x}
                  width={bar.width}
                  y={bar.output.y}
                  height={bar.output.height}
                />
              </g>
            ))}
          </svg>
          <figcaption className="small quiet">
            <span className="key key-input" aria-hidden="true" /> input{' '}
            <span className="key key-output" aria-hidden="true" /> output · top {formatCount(top)}
          </figcaption>
        </figure>
        <ScrollBox className="table" label="Tokens per Step as a table">
          <table>
            <thead>
              <tr>
                <th scope="col">Step</th>
                <th scope="col">Input</th>
                <th scope="col">Output</th>
                {isPriced ? <th scope="col">Cost</th> : null}
              </tr>
            </thead>
            <tbody>
              {bars.map((bar) => (
                <tr key={bar.step}>
                  <th scope="row">{bar.step}</th>
                  <td>
                    {bar.isEstimated ? '~' : ''}
                    {bar.inputTokens}
                  </td>
                  <td>
                    {bar.isEstimated ? '~' : ''}
                    {bar.outputTokens}
                  </td>
                  {isPriced ? <td>{bar.cost === undefined ? '–' : formatCost(bar.cost)}</td> : null}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollBox>
      </div>
    </details>
  )
}
