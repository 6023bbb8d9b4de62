import { useMemo, useRef, useState } from 'preact/hooks'
import { fitted, textWidth } from '../chart/fitted-text.ts'
import { niceScale } from '../chart/nice-scale.ts'
import { Bars, Lines } from '../chart/series.tsx'
import { useWidth } from '../chart/use-width.ts'
import { Select } from '../components/controls/select.tsx'
import { formatCount, formatShort } from '../format/number.ts'
import { sqlText } from '../text/sql.ts'
import { isNumeric } from './cells.ts'
import { type ChartChoice, chartData, groupsMax, pointsMax, usualChoice } from './chart-data.ts'
import css from './result-chart.module.css'
import type { Result } from './run-statement.ts'

const usualHeight = 220
const gutter = 48
/** Share of a chart of lines that their names take at most. */
const namesShareMax = 0.3
const text = sqlText.chart

/** A chart of the rows: y by x, one line or layer of bars for each group. */
export function ResultChart({ result }: { result: Result }) {
  const usual = useMemo(() => usualChoice(result), [result.columns])
  const [changed, setChanged] = useState<Partial<ChartChoice>>({})
  if (usual === undefined) return <p class={css.note}>{text.impossible}</p>
  const choice = { ...usual, ...changed }
  const options = result.columns.map(({ name }, index) => ({ id: String(index), label: name }))
  const numbers = options.filter((_, index) => isNumeric(result.columns[index]?.type ?? ''))
  const change = (changes: Partial<ChartChoice>) => setChanged({ ...changed, ...changes })
  return (
    <div class={css.chart}>
      <div class={css.choices}>
        <Select
          label={text.kind}
          hideLabel
          value={choice.kind}
          options={[
            { id: 'lines', label: text.lines },
            { id: 'bars', label: text.bars },
          ]}
          onChange={(kind) => change({ kind })}
        />
        <Select label={text.x} value={String(choice.x)} options={options} onChange={(x) => change({ x: Number(x) })} />
        <Select label={text.y} value={String(choice.y)} options={numbers} onChange={(y) => change({ y: Number(y) })} />
        <Select
          label={text.by}
          value={String(choice.by ?? '')}
          options={[{ id: '', label: text.nothing }, ...options]}
          onChange={(by) => change({ by: by === '' ? undefined : Number(by) })}
        />
      </div>
      <Plot result={result} choice={choice} />
    </div>
  )
}

interface PlotProps {
  readonly result: Result
  readonly choice: ChartChoice
  /** Height of the plot in pixels. */
  readonly height?: number
  /** Whether it says how many rows there are. */
  readonly hasNote?: boolean
}

/** The chart itself. */
export function Plot({ result, choice, height = usualHeight, hasNote = true }: PlotProps) {
  const area = useRef<HTMLDivElement>(null)
  const outer = useWidth(area)
  const data = useMemo(() => chartData(result, choice), [result, choice.x, choice.y, choice.by])
  const { labels, series } = data
  const names =
    choice.kind === 'lines'
      ? Math.min(namesShareMax * outer, 8 + Math.max(0, ...series.map(({ name }) => textWidth(name))))
      : 0
  const width = Math.max(0, outer - gutter - names)
  const sums = labels.map((_, at) => {
    const values = series.map(({ values: own }) => own[at] ?? 0)
    return choice.kind === 'bars' ? values.reduce((sum, value) => sum + Math.max(0, value), 0) : Math.max(...values)
  })
  const scale = niceScale(Math.max(0, ...sums))
  const top = Math.max(...scale)
  const x = (at: number) => (at / Math.max(1, labels.length)) * width
  const y = (value: number) => height - (Math.max(0, value) / top) * height
  const buckets = labels.map((_, index) => ({ from: index, to: index + 1 }))
  const every = Math.max(1, Math.ceil(labels.length / Math.max(1, Math.floor(width / 90))))
  const title = text.title(result.columns[choice.y]?.name ?? '', result.columns[choice.x]?.name ?? '')
  const cut = [
    data.points > pointsMax ? text.first(pointsMax, text.points) : '',
    data.groups > groupsMax ? text.first(groupsMax, text.lines_) : '',
  ].join('')
  return (
    <>
      {series.length > 1 && (
        <ul class={css.legend}>
          {series.map(({ name, color }) => (
            <li key={name}>
              <span class={css.swatch} style={{ background: color }} />
              <bdi class="cut">{name}</bdi>
            </li>
          ))}
        </ul>
      )}
      <div ref={area} role="img" aria-label={title}>
        <svg width={outer} height={height + 28} class={css.plot} aria-hidden>
          <g transform="translate(0 6)">
            {scale.map((value) => (
              <g key={value}>
                <line class={css.grid} x1={gutter} x2={gutter + width} y1={y(value)} y2={y(value)} />
                <text class={css.tick} x={gutter - 8} y={y(value) + 3.5} text-anchor="end">
                  {value >= 10_000 ? formatShort(value) : value < 1 ? String(value) : formatCount(value)}
                </text>
              </g>
            ))}
            <g transform={`translate(${gutter} 0)`}>
              {choice.kind === 'bars' ? (
                <Bars buckets={buckets} series={series} x={x} y={y} />
              ) : (
                <Lines
                  buckets={buckets}
                  series={series}
                  x={x}
                  y={y}
                  at={-1}
                  labelsAt={width + 6}
                  labelsMax={names - 6}
                  height={height}
                />
              )}
              {labels.map((label, index) =>
                index % every === 0 ? (
                  <text key={label} class={css.tick} x={x(index + 0.5)} y={height + 16} text-anchor="middle">
                    {fitted(axisWord(label).slice(0, 100), x(every) - 8, 'middle')}
                  </text>
                ) : null,
              )}
            </g>
          </g>
        </svg>
      </div>
      {hasNote && <p class={css.note}>{text.note(result.rows.length, cut)}</p>}
    </>
  )
}

/** A value of x below its place: a day without its midnight. */
const axisWord = (label: string): string =>
  /^(\d{4}-\d\d-\d\d) 00:00:00(?:\+00)?$/.exec(label)?.[1] ?? label.replace(/:00(?:\+00)?$/, '')
