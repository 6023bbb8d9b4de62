import { useEffect, useState } from 'preact/hooks'
import { formatDuration } from '../../format/duration.ts'
import { partsText } from '../../text/parts.ts'
import css from './loading-rows.module.css'

const quietMs = 150
const tellMs = 1_000
const usual = '16px 2fr 2fr 1fr 60px'

/** How many of them are seen, or were a moment ago. */
let shown = 0

/**
 * Grey bars in the final columns while rows are on their way. Nothing for the first moment, so
 * that a fast answer does not flicker; after a second it says what is read, and for how long.
 */
export function LoadingRows({ columns = usual, rows = 12, what, height, isQuiet = true }: LoadingRowsProps) {
  const elapsed = useElapsed(isQuiet && shown === 0)
  useEffect(() => {
    if (elapsed < quietMs) return
    shown++
    // The next placeholder continues with bars immediately.
    return () => void setTimeout(() => shown--, quietMs)
  }, [elapsed < quietMs])
  if (elapsed < quietMs) return <div aria-busy="true" />
  const count = columns.split(' ').length
  return (
    <div class={css.rows} aria-busy="true" role="status">
      {Array.from({ length: rows }, (_, row) => (
        <div
          key={row}
          class={css.row}
          style={{ gridTemplateColumns: columns, height: height && `${height}px` }}
          aria-hidden
        >
          {Array.from({ length: count }, (_, column) => (
            <span key={column} class={css.bar} style={{ width: `${barWidth(row, column)}%` }} />
          ))}
        </div>
      ))}
      <div class={elapsed < tellMs ? 'sr-only' : css.text}>
        <span>{what ?? partsText.reading}</span>
        {elapsed >= tellMs && <span>{formatDuration(elapsed)}</span>}
      </div>
    </div>
  )
}

interface LoadingRowsProps {
  /** `grid-template-columns` of the rows to come. */
  readonly columns?: string
  readonly rows?: number
  /** Text about the read: `Reading 30 days`. */
  readonly what?: string | undefined
  /** Height of a row, if not that of the table. */
  readonly height?: number | undefined
  /** Whether they wait for a moment before they show. */
  readonly isQuiet?: boolean
}

/** Uneven, yet the same at every render. */
const barWidth = (row: number, column: number): number => 45 + ((row * 7 + column * 13) % 5) * 11

function useElapsed(isQuiet: boolean): number {
  const [elapsed, setElapsed] = useState(isQuiet ? 0 : quietMs)
  useEffect(() => {
    const start = performance.now()
    const tick = () => setElapsed((known) => Math.max(known, performance.now() - start))
    const first = setTimeout(tick, quietMs)
    const timer = setInterval(tick, 200)
    return () => {
      clearTimeout(first)
      clearInterval(timer)
    }
  }, [])
  return elapsed
}
