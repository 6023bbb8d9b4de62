import { fitted } from './fitted-text.ts'
import css from './lines.module.css'
import type { Series } from './series-values.ts'
import type { Span } from './span.ts'

const gap = 1.5

/**
 * The series at a value of a bucket: the layer of a stack that holds it, or the line that is
 * nearest to it and no further away than `reach`.
 */
export function seriesAt(
  series: readonly Series[],
  bucket: number,
  value: number,
  reach: number | undefined,
): Series | undefined {
  if (reach === undefined) {
    let below = 0
    return series.find(({ values }) => {
      const from = below
      below += Math.max(0, values[bucket] ?? 0)
      return value >= from && value < below
    })
  }
  const away = ({ values }: Series) => Math.abs((values[bucket] ?? Number.POSITIVE_INFINITY) - value)
  const nearest = series.toSorted((a, b) => away(a) - away(b))[0]
  return nearest && away(nearest) <= reach ? nearest : undefined
}

/** Stacked areas, the first series at the base; where a series has no value, it adds nothing. */
export function Areas({ buckets, series, x, y }: BarsProps) {
  const below = buckets.map(() => 0)
  const middle = ({ from, to }: Span) => x((from + to) / 2).toFixed(1)
  const edge = (values: readonly number[]) =>
    buckets.map((bucket, index) => `${middle(bucket)} ${y(values[index] ?? 0).toFixed(1)}`)
  return (
    <>
      {series.map(({ name, color, values }) => {
        const base = edge(below)
        values.forEach((value, index) => {
          below[index] = (below[index] ?? 0) + Math.max(0, value ?? 0)
        })
        const top = edge(below)
        return (
          <g key={name} style={{ stroke: color, fill: color }}>
            <path class={css.area} d={`M${top.join('L')}L${base.toReversed().join('L')}Z`} />
            <path class={css.line} d={edgeOf(top, values)} />
          </g>
        )
      })}
    </>
  )
}

/** Stacked bars, the first series at the base, one pixel of the background between layers. */
export function Bars({ buckets, series, x, y }: BarsProps) {
  return (
    <>
      {buckets.map((bucket, index) => {
        let below = 0
        const left = x(bucket.from) + gap / 2
        const width = Math.max(1, x(bucket.to) - x(bucket.from) - gap)
        return (
          <g key={bucket.from}>
            {series.map(({ name, color, values }, layer) => {
              const value = values[index] ?? 0
              if (value <= 0) return null
              const bottom = y(below) - (layer > 0 && below > 0 ? 1 : 0)
              below += value
              const height = Math.max(0.75, bottom - y(below))
              return (
                <rect
                  key={name}
                  style={{ fill: color }}
                  x={left}
                  width={width}
                  y={bottom - height}
                  height={height}
                  rx={0.5}
                />
              )
            })}
          </g>
        )
      })}
    </>
  )
}

/** The upper edge of a layer, where the layer has a height. */
function edgeOf(points: readonly string[], values: readonly (number | null)[]): string {
  const hasHeight = (index: number) => (values[index] ?? 0) > 0
  return points
    .map((point, index) => `${index > 0 && (hasHeight(index) || hasHeight(index - 1)) ? 'L' : 'M'}${point}`)
    .join('')
}

interface BarsProps {
  readonly buckets: readonly Span[]
  readonly series: readonly Series[]
  readonly x: (time: number) => number
  readonly y: (value: number) => number
}

const labelHeight = 13

/**
 * Lines that are not smoothed; gaps stay gaps. Names are at the right end, the crosshair is on top.
 */
export function Lines({ buckets, series, x, y, at, labelsAt, labelsMax, height }: LinesProps) {
  const middle = ({ from, to }: Span) => x((from + to) / 2)
  const bucket = buckets[at]
  const named = labelsAt === undefined ? [] : series
  const labels = spread(
    named.map(({ name, values }) => ({ name, y: y(values.findLast((value) => value !== null) ?? 0) })),
    height,
  )
  return (
    <>
      {bucket && <line class={css.crosshair} x1={middle(bucket)} x2={middle(bucket)} y1={0} y2={height} />}
      {series.map(({ name, color, values, isDotted }) => (
        <g key={name} style={{ stroke: color }}>
          <path
            class={css.line}
            stroke-dasharray={isDotted ? '1.5 3' : undefined}
            d={pathOf(buckets, values, middle, y)}
          />
          {pointsOf(buckets, values).map(({ bucket: own, value }, index) =>
            value !== null && isAlone(values, index) ? (
              <circle key={own.from} class={css.point} cx={middle(own)} cy={y(value)} r={2.5} style={{ fill: color }} />
            ) : null,
          )}
          {bucket && values[at] != null && <circle class={css.mark} cx={middle(bucket)} cy={y(values[at])} r={3.5} />}
        </g>
      ))}
      {labels.map((label) => (
        <text key={label.name} class={css.name} x={labelsAt} y={label.y + 3.5}>
          {fitted(label.name, labelsMax)}
        </text>
      ))}
    </>
  )
}

function pathOf(
  buckets: readonly Span[],
  values: readonly (number | null)[],
  x: (bucket: Span) => number,
  y: (value: number) => number,
): string {
  let isDown = false
  return pointsOf(buckets, values)
    .map(({ bucket, value }) => {
      if (value === null) {
        isDown = false
        return ''
      }
      const command = `${isDown ? 'L' : 'M'}${x(bucket).toFixed(1)} ${y(value).toFixed(1)}`
      isDown = true
      return command
    })
    .join('')
}

/** The buckets of a series with their values. */
const pointsOf = (buckets: readonly Span[], values: readonly (number | null)[]) =>
  buckets.map((bucket, index) => ({ bucket, value: values[index] ?? null }))

const isAlone = (values: readonly (number | null)[], index: number): boolean =>
  (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null

/** Moves names apart so that they do not overlap. */
function spread<Label extends { y: number }>(labels: readonly Label[], height: number): readonly Label[] {
  let lowest = height
  return [...labels]
    .sort((a, b) => b.y - a.y)
    .map((label) => {
      const place = Math.min(label.y, lowest)
      lowest = place - labelHeight
      return { ...label, y: place }
    })
}

interface LinesProps {
  readonly buckets: readonly Span[]
  readonly series: readonly Series[]
  readonly x: (time: number) => number
  readonly y: (value: number) => number
  /** Bucket under the pointer; -1 for none. */
  readonly at: number
  /** Where names begin; undefined for no names. */
  readonly labelsAt: number | undefined
  /** How wide names may be, in pixels. */
  readonly labelsMax?: number
  readonly height: number
}
