/**
 * Small bars without axes, the last one now. The numbers are elsewhere on the page; `label`
 * describes the drawing in words.
 */
export function Sparkline({ values, label, width = 96, height = 20 }: SparklineProps) {
  const max = Math.max(1, ...values)
  const step = width / Math.max(1, values.length)
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <rect y={height - 1} width={width} height="1" fill="var(--line)" />
      {values.map((value, index) => {
        const tall = value === 0 ? 0 : Math.max(2, (value / max) * height)
        return (
          <rect
            key={index}
            x={index * step}
            y={height - tall}
            width={Math.max(1, step - 1)}
            height={tall}
            fill="var(--bar)"
          />
        )
      })}
    </svg>
  )
}

interface SparklineProps {
  readonly values: readonly number[]
  readonly label: string
  readonly width?: number
  readonly height?: number
}
