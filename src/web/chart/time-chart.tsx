import type { ComponentProps } from 'preact'
import { spanWords } from './span.ts'
import css from './time-chart.module.css'
import { bucketUnder, TimePlot, type TimePlotProps } from './time-plot.tsx'

/** Series over time in a card, with what they are at the time under the pointer. */
export function TimeChart({ note, ...plot }: TimeChartProps) {
  const { title, buckets, series, kind, format, hovered } = plot
  const at = bucketUnder(buckets, hovered)
  const bucket = buckets[at]
  return (
    <section class={css.card} aria-label={title}>
      <header class={css.head}>
        <h2 class={css.title}>{title}</h2>
        {note && <span class={css.note}>{note}</span>}
        <span class={css.when}>{bucket ? spanWords(bucket) : ''}</span>
        <Legend series={series} at={bucket ? at : undefined} kind={kind} format={format} />
      </header>
      <TimePlot {...plot} />
    </section>
  )
}

/** Names of series with their values at a bucket, or those of the whole range. */
export const Legend = ({ series, at, kind, format }: LegendProps) => (
  <ul class={css.legend}>
    {series.map((one) => {
      const value = at === undefined ? one.total : one.values[at]
      return (
        <li key={one.name} class={css.key}>
          <span
            class={kind === 'lines' ? css.stroke : css.swatch}
            style={{ background: one.color }}
            data-dotted={one.isDotted}
          />
          <span class={css.name}>{one.name}</span>
          {value != null && <strong>{format(value)}</strong>}
        </li>
      )
    })}
  </ul>
)

interface LegendProps extends Pick<TimePlotProps, 'series' | 'kind' | 'format'> {
  readonly at: number | undefined
}

interface TimeChartProps extends ComponentProps<typeof TimePlot> {
  /** Beside the title: a sum, or what a line means. */
  readonly note?: string | undefined
}
