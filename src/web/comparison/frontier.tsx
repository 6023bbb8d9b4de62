import type { Comparison } from '../../domains/evaluations/index.ts'
import { scoreText } from '../../lib/comparison-words.ts'
import { Segments } from '../components/controls/segments.tsx'
import { formatDuration } from '../format/duration.ts'
import { formatCost } from '../format/number.ts'
import { comparisonText } from '../text/evaluation/comparison.ts'
import type { LetteredRun } from './comparison-data.ts'
import css from './frontier.module.css'
import { placeLabels } from './frontier-labels.ts'
import { RunShape, runColor, runLetter } from './run-mark.tsx'

/** What a score is set against. */
export type Axis = 'cost' | 'latency'

/** A run in the drawing. */
export interface FrontierPoint {
  readonly place: number
  /** Mean cost in dollars or latency in seconds of a row. */
  readonly x: number
  /** The score, larger being better. */
  readonly y: number
}

/** The runs that no other beats in both, the cheapest first. */
const frontierOf = (points: readonly FrontierPoint[]): readonly FrontierPoint[] =>
  points.filter((point) => dominating(points, point) === undefined).sort((a, b) => a.x - b.x)

/** A run that is at least as good in both and better in one. */
const dominating = (points: readonly FrontierPoint[], { x, y }: FrontierPoint): FrontierPoint | undefined =>
  points.find((other) => other.x <= x && other.y >= y && (other.x < x || other.y > y))

const size = { width: 324, height: 150, left: 44, right: 60, top: 14, bottom: 20 }

interface FrontierProps {
  readonly comparison: Comparison
  readonly runs: readonly LetteredRun[]
  readonly score: string
  readonly axis: Axis
  readonly onAxis: (axis: Axis) => void
}

/** A score against cost or latency, and the frontier of the runs. */
export function Frontier({ comparison, runs, score: name, axis, onAxis }: FrontierProps) {
  const score = comparison.scores.find(({ score }) => score === name) ?? comparison.scores[0]
  const drawn = (score?.runs ?? []).flatMap((run, index) => {
    const facts = comparison.runs[index]
    const x = axis === 'cost' ? facts?.mean_cost : facts?.mean_latency
    const place = runs[index]?.place
    return x == null || run.value === null || place === undefined
      ? []
      : [{ place, x, y: score?.lower_is_better ? -run.value : run.value, run }]
  })
  const [low, high] = [
    Math.min(...drawn.map(({ run }) => run.low ?? run.value ?? 0)),
    Math.max(...drawn.map(({ run }) => run.high ?? run.value ?? 0)),
  ]
  const room = (high - low || Math.abs(high) || 1) * 0.1
  const [from, to] = [low - room, high + room]
  const most = Math.max(...drawn.map(({ x }) => x)) * 1.1 || 1
  const { width, height, left, right, top, bottom } = size
  const xAt = (x: number) => left + (x / most) * (width - left - right)
  const yAt = (value: number) => top + (1 - (value - from) / (to - from)) * (height - top - bottom)
  const format = (x: number) => (axis === 'cost' ? formatCost(x) : formatDuration(x * 1000))
  const line = frontierOf(drawn)
  const scoreAt = (y: number) => (score?.lower_is_better ? -y : y)
  const behind = drawn.map((point) => {
    const by = dominating(drawn, point)
    return by === undefined ? undefined : comparisonText.dominated(runLetter(by.place))
  })
  const labels = placeLabels(
    drawn.map(({ place, x, y }, index) => ({
      x: xAt(x),
      y: yAt(scoreAt(y)),
      lines: [`${runLetter(place)} ${format(x)}`, ...(behind[index] === undefined ? [] : [behind[index]])],
    })),
    width,
    height - bottom,
  )
  return (
    <section class={css.frontier} aria-label={comparisonText.against(score?.score ?? '')}>
      <div class={css.head}>
        <h2 class="cut">{comparisonText.against(score?.score ?? '')}</h2>
        <Segments
          label={comparisonText.axis}
          options={[
            { id: 'cost', label: comparisonText.cost },
            { id: 'latency', label: comparisonText.latency },
          ]}
          current={axis}
          onSelect={onAxis}
        />
      </div>
      {score === undefined || drawn.length < 2 ? (
        <p class={css.note}>{comparisonText.noFrontier(axis)}</p>
      ) : (
        <>
          <svg
            viewBox={`0 0 ${width} ${height}`}
            class={css.drawing}
            role="img"
            aria-label={comparisonText.frontier(
              drawn
                .map(({ place, x, run }) => `${runLetter(place)}: ${scoreText(score.kind, run.value)}, ${format(x)}`)
                .join('; '),
            )}
          >
            {[from + room, (from + to) / 2, to - room].map((value) => (
              <g key={value}>
                <path d={`M${left} ${yAt(value)}H${width}`} class={css.grid} />
                <text x={left - 6} y={yAt(value) + 4} text-anchor="end" class={css.label}>
                  {scoreText(score.kind, value)}
                </text>
              </g>
            ))}
            {[0, most / 2.2, most / 1.1].map((x) => (
              <text key={x} x={xAt(x)} y={height - 4} text-anchor="middle" class={css.label}>
                {x === 0 ? '0' : format(x)}
              </text>
            ))}
            <path class={css.steps} d={stepsOf(line.map(({ x, y }) => [xAt(x), yAt(scoreAt(y))]))} />
            {drawn.map(({ place, x, y, run }, index) => {
              const label = labels[index]
              return (
                <g key={place} class={runColor(place)}>
                  {run.low !== null && run.high !== null && (
                    <path d={`M${xAt(x)} ${yAt(run.low)}V${yAt(run.high)}`} stroke="currentColor" stroke-width="1.2" />
                  )}
                  <g transform={`translate(${xAt(x) - 6} ${yAt(scoreAt(y)) - 6})`}>
                    <RunShape place={place} />
                  </g>
                  {label && (
                    <text x={label.x} y={label.y} text-anchor={label.anchor} class={css.point}>
                      <tspan class={css.letter}>{runLetter(place)}</tspan> {format(x)}
                      {behind[index] && (
                        <tspan x={label.x} dy="12">
                          {behind[index]}
                        </tspan>
                      )}
                    </text>
                  )}
                </g>
              )
            })}
          </svg>
          <p class={css.note}>{comparisonText.frontierNote(axis, score.lower_is_better)}</p>
        </>
      )}
    </section>
  )
}

/** Steps through points, on to the right edge. */
function stepsOf(points: readonly (readonly [x: number, y: number])[]): string {
  const [first, ...others] = points
  if (first === undefined) return ''
  return `M${first.join(' ')}${others.map(([x, y]) => `H${x}V${y}`).join('')}H${size.width}`
}
