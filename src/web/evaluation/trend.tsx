import { useRef } from 'preact/hooks'
import { useWidth } from '../chart/use-width.ts'
import { formatDay } from '../format/time.ts'
import { runPath } from '../state/paths.ts'
import { evaluationText } from '../text/evaluation/evaluation.ts'
import { isWhole, type ListedRun, modelOf, promptOf, rangeOf, valueText } from './runs.ts'
import css from './trend.module.css'

const height = 150
const edge = { left: 44, right: 16, top: 18, bottom: 32 }
const colors = ['var(--c1)', 'var(--c2)', 'var(--c3)', 'var(--c4)', 'var(--c5)', 'var(--c6)', 'var(--c7)', 'var(--c8)']
const pointsMax = 40

/** A score over the runs, the oldest first: one point a run at equal steps. */
export function Trend({ runs, score, projectId }: { runs: readonly ListedRun[]; score: string; projectId: string }) {
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box) || 900
  const points = runs
    .flatMap((run) => {
      const found = run.scores.find((each) => each.score === score)
      return found === undefined || run.state === 'failed' ? [] : [{ run, found }]
    })
    .slice(0, pointsMax)
    .reverse()
  if (points.length === 0) return <p class={css.none}>{evaluationText.trendNone}</p>
  const [from, to] = rangeOf(
    points.map(({ run }) => run),
    score,
  )
  const models = [...new Set(points.map(({ run }) => modelOf(run)))]
  const step = (width - edge.left - edge.right) / points.length
  const x = (index: number): number => edge.left + step * (index + 0.5)
  const y = (value: number): number =>
    edge.top + (height - edge.top - edge.bottom) * (1 - (value - from) / (to - from || 1))
  const kind = points[0]?.found.kind ?? 'mean'
  const lines = models.flatMap((model) =>
    [
      ...Map.groupBy(
        points.map((point, index) => ({ ...point, index })).filter(({ run }) => modelOf(run) === model),
        ({ run }) => run.dataset?.ref ?? '',
      ).values(),
    ].map((each) => ({ model, each })),
  )
  return (
    <div class={css.trend} ref={box}>
      <ul class={css.legend}>
        {models.map((model, index) => (
          <li key={model}>
            <span class={css.mark} style={{ background: colors[index % colors.length] }} /> {model}
          </li>
        ))}
      </ul>
      <svg width={width} height={height} role="group" aria-label={evaluationText.trend}>
        {[0, 0.5, 1].map((share) => (
          <g key={share}>
            <line
              class={css.grid}
              x1={edge.left}
              x2={width - edge.right}
              y1={y(from + share * (to - from))}
              y2={y(from + share * (to - from))}
            />
            <text class={css.label} x={edge.left - 6} y={y(from + share * (to - from)) + 4} text-anchor="end">
              {valueText(kind, from + share * (to - from))}
            </text>
          </g>
        ))}
        {points.map(({ run }, index) => {
          const before = points[index - 1]?.run.dataset
          return before != null && run.dataset !== null && before.ref !== run.dataset.ref ? (
            <line
              key={`cut ${index}`}
              class={css.cut}
              x1={x(index) - step / 2}
              x2={x(index) - step / 2}
              y1={4}
              y2={height - edge.bottom}
            />
          ) : null
        })}
        {lines.map(({ model, each }) => (
          <polyline
            key={`${model} ${each[0]?.index}`}
            class={css.line}
            style={{ stroke: colors[models.indexOf(model) % colors.length] }}
            points={each.map(({ index, found }) => `${x(index)},${y(found.value)}`).join(' ')}
          />
        ))}
        {points.map(({ run, found }, index) => {
          const color = colors[models.indexOf(modelOf(run)) % colors.length]
          const [low, high] = [found.low ?? found.value, found.high ?? found.value]
          const words = evaluationText.trendPoint(
            `${modelOf(run)} ${promptOf(run)}`,
            valueText(kind, found.value),
            valueText(kind, low),
            valueText(kind, high),
            found.scored_rows,
          )
          return (
            <a
              key={run.evaluation_call_id}
              href={runPath(projectId, run.evaluation_call_id)}
              aria-label={words}
              data-tip={words}
            >
              <path
                d={`M${x(index)} ${y(low)}V${y(high)}M${x(index) - 4} ${y(low)}h8M${x(index) - 4} ${y(high)}h8`}
                style={{ stroke: color, strokeDasharray: isWhole(run) ? 'none' : '2 2' }}
                class={css.span}
              />
              <circle
                cx={x(index)}
                cy={y(found.value)}
                r="4"
                style={{ stroke: color, fill: isWhole(run) ? color : 'var(--surface)' }}
              />
              {step > 34 && (
                <text class={css.label} x={x(index)} y={height - 16} text-anchor="middle">
                  {promptOf(run).split(':').at(-1)}
                </text>
              )}
              {step > 60 && (
                <text class={css.label} x={x(index)} y={height - 3} text-anchor="middle">
                  {formatDay(run.started_at)}
                </text>
              )}
            </a>
          )
        })}
      </svg>
    </div>
  )
}
