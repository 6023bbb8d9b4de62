import type { Series } from './series.ts'
import type { Span } from './span.ts'

const gap = 1.5

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

interface BarsProps {
  readonly buckets: readonly Span[]
  readonly series: readonly Series[]
  readonly x: (time: number) => number
  readonly y: (value: number) => number
}
