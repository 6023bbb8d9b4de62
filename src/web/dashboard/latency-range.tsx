import { formatDuration } from '../format/duration.ts'
import { dashboardText } from '../text/dashboards.ts'

const width = 120

/** Latency of an op among that of the others: a bar from p50 to p95, a line on to p99. */
export function LatencyRange({ p50, p95, p99, least, most }: LatencyRangeProps) {
  if (p50 === null || p95 === null || p99 === null) return null
  const low = Math.log(Math.max(0.5, least))
  const range = Math.max(0.1, Math.log(most) - low)
  const x = (ms: number) => Math.max(0, Math.min(1, (Math.log(Math.max(0.5, ms)) - low) / range)) * (width - 4)
  return (
    <svg
      width={width}
      height={12}
      role="img"
      aria-label={dashboardText.latencyOf(formatDuration(p50), formatDuration(p95), formatDuration(p99))}
    >
      <line x1={0} x2={width} y1={6} y2={6} style={{ stroke: 'var(--grid)' }} />
      <line
        x1={x(p95)}
        x2={Math.max(x(p99), x(p95) + 1)}
        y1={6}
        y2={6}
        style={{ stroke: 'var(--bar)' }}
        stroke-width={1.5}
      />
      <rect x={x(p50)} width={Math.max(2, x(p95) - x(p50))} y={3} height={6} rx={1} style={{ fill: 'var(--bar)' }} />
    </svg>
  )
}

interface LatencyRangeProps {
  readonly p50: number | null
  readonly p95: number | null
  readonly p99: number | null
  /** Ends of the scale, in milliseconds. */
  readonly least: number
  readonly most: number
}
