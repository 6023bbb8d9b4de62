/** A line without axes, for a table row. */
export function Sparkline({ values, width = 104, height = 18, label }: SparklineProps) {
  const highest = Math.max(0, ...values) || 1
  const x = (index: number) => (values.length < 2 ? 0 : (index / (values.length - 1)) * width)
  const points = values.map(
    (value, index) => `${x(index).toFixed(1)},${(height - 1 - (value / highest) * (height - 2)).toFixed(1)}`,
  )
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke="var(--text-3)"
        stroke-width="1.25"
        vector-effect="non-scaling-stroke"
      />
    </svg>
  )
}

interface SparklineProps {
  readonly values: readonly number[]
  readonly width?: number
  readonly height?: number
  readonly label: string
}
