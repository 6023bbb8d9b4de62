import type { Signal } from '@preact/signals'
import type { TargetedMouseEvent, TargetedPointerEvent } from 'preact'
import { useRef } from 'preact/hooks'
import { chartText } from '../text/chart.ts'
import { textWidth } from './fitted-text.ts'
import { niceScale } from './nice-scale.ts'
import { Areas, Bars, Lines, seriesAt } from './series.tsx'
import type { Series } from './series-values.ts'
import { type Span, spanWords } from './span.ts'
import { TimeAxis } from './time-axis.tsx'
import css from './time-chart.module.css'
import { useWidth } from './use-width.ts'

/** How series are drawn; bars and areas are stacked. */
type PlotKind = 'lines' | 'bars' | 'areas'

/** Least room for the labels of the scale, so that plots of a page begin at the same place. */
const gutterMin = 44
const tickGap = 8
const usualLabelRoom = 34
/** Between the end of a line and its name. */
const labelGap = 6
/** Narrower plots have no room for labels beside the lines: the legend names them. */
const labelledWidth = 360
/** Room above the plot for the highest tick. */
const above = 6

/** The place of the bucket under the pointer; -1 for none. */
export function bucketUnder(buckets: readonly Span[], hovered: Signal<number | undefined>): number {
  const pointed = hovered.value ?? Number.NaN
  return buckets.findIndex(({ from, to }) => pointed >= from && pointed < to)
}

/**
 * The plot of a chart over time. All plots with the same `hovered` share their crosshair. Arrows
 * move it, Enter or a click opens the calls of the bucket; a table for screen readers says the
 * same. See docs/decisions/088-charts-as-svg.md.
 */
export function TimePlot(props: TimePlotProps) {
  const { title, buckets, span, series, kind, format, formatTick, height, hovered, onOpen } = props
  const area = useRef<HTMLDivElement>(null)
  const outer = useWidth(area)
  // The legend names a single line.
  const hasLabels = kind === 'lines' && series.length > 1 && outer >= labelledWidth
  const labelRoom = hasLabels ? (props.labelRoom ?? usualLabelRoom) : 0
  const highest = highestOf(series, kind)
  const scale = props.scaleOf?.(highest) ?? niceScale(highest, props.isCount)
  const top = Math.max(...scale)
  const ticks = scale.map((value) => (value === 0 ? '0' : trimmed((formatTick ?? format)(value, top))))
  const gutter = Math.max(gutterMin, ...ticks.map((tick) => Math.ceil(textWidth(tick)) + tickGap))
  const width = Math.max(0, outer - gutter - labelRoom)
  const x = (time: number) => ((time - span.from) / (span.to - span.from)) * width
  const y = (value: number) => height - (value / top) * height
  const at = bucketUnder(buckets, hovered)
  const bucket = buckets[at]

  const point = ({ clientX, currentTarget }: TargetedPointerEvent<HTMLElement>): void => {
    const box = currentTarget.getBoundingClientRect()
    const time = span.from + ((clientX - box.left - gutter) / width) * (span.to - span.from)
    hovered.value = time >= span.from && time < span.to ? time : undefined
  }
  const click = ({ clientY, currentTarget }: TargetedMouseEvent<HTMLElement>): void => {
    if (!bucket) return
    const value = ((height + above - (clientY - currentTarget.getBoundingClientRect().top)) / height) * top
    onOpen(bucket, seriesAt(series, at, value, kind === 'lines' ? top / 12 : undefined))
  }
  const key = (event: KeyboardEvent): void => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (event.altKey || event.shiftKey || event.ctrlKey || event.metaKey) return
    if (by !== undefined) {
      const next = buckets[Math.max(0, Math.min(buckets.length - 1, at < 0 ? buckets.length - 1 : at + by))]
      if (next) hovered.value = next.from
    } else if (event.key === 'Enter' && bucket) onOpen(bucket, undefined)
    else if (event.key === 'Escape' && hovered.value !== undefined) hovered.value = undefined
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const words = bucket
    ? `${spanWords(bucket)}: ${series.map((one) => `${one.name} ${one.values[at] == null ? '–' : format(one.values[at])}`).join(', ')}`
    : chartText.noPoint

  return (
    <>
      <div
        ref={area}
        class={css.area}
        role="slider"
        tabIndex={0}
        aria-label={chartText.chart(title)}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, buckets.length - 1)}
        aria-valuenow={Math.max(0, at)}
        aria-valuetext={words}
        onPointerMove={point}
        onPointerLeave={() => {
          hovered.value = undefined
        }}
        onClick={click}
        onKeyDown={key}
      >
        <svg width={outer} height={height + above} class={css.plot} aria-hidden>
          <g transform={`translate(0 ${above})`}>
            {scale.map((value, index) => (
              <g key={value}>
                <line
                  class={value === 0 ? css.base : css.grid}
                  x1={gutter}
                  x2={gutter + width}
                  y1={y(value)}
                  y2={y(value)}
                />
                <text class={css.tick} x={gutter - tickGap} y={y(value) + 3.5} text-anchor="end">
                  {ticks[index]}
                </text>
              </g>
            ))}
            <g transform={`translate(${gutter} 0)`}>
              {kind !== 'lines' && bucket && (
                <rect class={css.band} x={x(bucket.from)} width={x(bucket.to) - x(bucket.from)} y={0} height={height} />
              )}
              {kind === 'bars' && <Bars buckets={buckets} series={series} x={x} y={y} />}
              {kind === 'areas' && <Areas buckets={buckets} series={series} x={x} y={y} />}
              {kind === 'lines' && (
                <Lines
                  buckets={buckets}
                  series={series}
                  x={x}
                  y={y}
                  at={at}
                  labelsAt={labelRoom > 0 ? width + labelGap : undefined}
                  labelsMax={labelRoom - labelGap}
                  height={height}
                />
              )}
            </g>
          </g>
        </svg>
      </div>
      <div class={css.axis} style={{ marginLeft: `${gutter}px` }}>
        <TimeAxis from={span.from} to={span.to} width={width} />
      </div>
      <ChartTable title={title} buckets={buckets} series={series} format={format} />
    </>
  )
}

/** `$0.100` is `$0.1`, `80.0k` is `80k`: zeros that say nothing are noise on an axis. */
const trimmed = (text: string): string => text.replace(/(\.\d*?)0+(?=\D*$)/, '$1').replace(/\.(?=\D*$)/, '')

/** The same numbers for screen readers. */
const ChartTable = ({
  title,
  buckets,
  series,
  format,
}: Pick<TimePlotProps, 'title' | 'buckets' | 'series' | 'format'>) => (
  <div class="sr-only">
    <table>
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">{chartText.time}</th>
          {series.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {buckets.map((bucket, index) => (
          <tr key={bucket.from}>
            <th scope="row">{spanWords(bucket)}</th>
            {series.map(({ name, values }) => (
              <td key={name}>{values[index] == null ? '–' : format(values[index])}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

function highestOf(series: readonly Series[], kind: PlotKind): number {
  const length = series[0]?.values.length ?? 0
  let highest = 0
  for (let index = 0; index < length; index += 1) {
    const values = series.map(({ values: all }) => all[index] ?? 0)
    highest = Math.max(
      highest,
      kind !== 'lines' ? values.reduce((sum, value) => sum + value, 0) : Math.max(0, ...values),
    )
  }
  return highest
}

export interface TimePlotProps {
  readonly title: string
  readonly buckets: readonly Span[]
  readonly span: Span
  readonly series: readonly Series[]
  readonly kind: PlotKind
  readonly format: (value: number) => string
  /** Format of values on the axis, if it differs; receives the highest value. */
  readonly formatTick?: ((value: number, highest: number) => string) | undefined
  /** The values are counts: there are no ticks between them. */
  readonly isCount?: boolean | undefined
  /** Values of the axis from 0 to at least the highest, if decimal ones are not round. */
  readonly scaleOf?: ((highest: number) => readonly number[]) | undefined
  /** Height of the plot in pixels. */
  readonly height: number
  /** Room for the names of lines beside them, in pixels; none with 0. */
  readonly labelRoom?: number
  /** Time under the pointer, of whichever chart. */
  readonly hovered: Signal<number | undefined>
  /** @param series the one under the pointer, if any */
  readonly onOpen: (bucket: Span, series: Series | undefined) => void
}
