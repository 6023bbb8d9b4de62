import { Clock, Download } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Segments } from '../components/controls/segments.tsx'
import { Badge } from '../components/display/badge.tsx'
import { MenuButton } from '../components/overlays/menu-button.tsx'
import { formatBytes, formatCount } from '../format/number.ts'
import { formatClock } from '../format/time.ts'
import { showError } from '../state/toasts.ts'
import { sqlText } from '../text/sql.ts'
import css from './result-bar.module.css'
import { exportRows, type Result, rowsMax } from './run-statement.ts'

/** What is shown of a result. */
export type Shape = 'table' | 'chart' | 'both'

interface ResultBarProps {
  readonly result: Result
  /** Words about rows that are not those of the statement in the editor. */
  readonly stale: string | undefined
  readonly shape: Shape
  readonly secondsMax: number
  readonly memoryBytesMax: number
  readonly onShape: (shape: Shape) => void
  /** What else can be done with the rows, before export. */
  readonly more?: ComponentChildren
}

/** Above the rows: their shape, how much of the limits they took, and export. */
export function ResultBar({ result, stale, shape, secondsMax, memoryBytesMax, onShape, more }: ResultBarProps) {
  const [busy, setBusy] = useState(false)
  const { rows, isCut, elapsedMs, memoryBytes, bytesRead, filesRead } = result
  const seconds = elapsedMs / 1000
  const save = (format: 'csv' | 'jsonl'): void => {
    setBusy(true)
    exportRows(result.statement, format, result.times)
      .catch(showError)
      .finally(() => setBusy(false))
  }
  return (
    <div class={css.bar}>
      <h2 class={css.title}>{sqlText.result}</h2>
      {stale !== undefined && (
        <Badge tone="warn" icon={Clock}>
          {stale}
        </Badge>
      )}
      <Segments
        label={sqlText.shape}
        options={(['table', 'chart', 'both'] as const).map((id) => ({ id, label: sqlText.shapes[id] }))}
        current={shape}
        onSelect={onShape}
      />
      <div class={css.meters} role="status">
        <Meter share={rows.length / rowsMax}>
          {isCut ? sqlText.cut(formatCount(rows.length)) : sqlText.rows(formatCount(rows.length), formatCount(rowsMax))}
        </Meter>
        <Meter share={seconds / secondsMax}>{sqlText.seconds(seconds.toFixed(2), String(secondsMax))}</Meter>
        <Meter share={memoryBytes / memoryBytesMax}>
          {sqlText.memory(megabytes(memoryBytes), megabytes(memoryBytesMax))}
        </Meter>
        {bytesRead !== null && filesRead !== null && filesRead > 0 && (
          <span class={css.read}>{sqlText.read(formatBytes(bytesRead), filesRead)}</span>
        )}
      </div>
      {more}
      <span data-tip={sqlText.exportTitle} aria-busy={busy}>
        <MenuButton
          label={sqlText.export}
          side="end"
          items={(['csv', 'jsonl'] as const).map((format) => ({
            icon: Download,
            label: sqlText.formats[format],
            disabled: busy,
            run: () => save(format),
          }))}
        >
          {sqlText.export}
        </MenuButton>
      </span>
    </div>
  )
}

const megabytes = (bytes: number): string => (bytes > 0 && bytes < 1e6 ? '<1' : String(Math.round(bytes / 1e6)))

/** A figure and how much of its limit it is. */
const Meter = ({ share, children }: { share: number; children: string }) => (
  <span class={css.meter}>
    {children}
    <span class={css.track} aria-hidden>
      <span
        class={share > 0.8 ? css.high : css.fill}
        style={{ width: `${Math.min(100, Math.max(2, share * 100)).toFixed(1)}%` }}
      />
    </span>
  </span>
)

/** Says that rows are older than the statement in the editor. */
export function staleWords(result: Result, statement: string, hasFailed: boolean): string | undefined {
  if (hasFailed) return sqlText.stale(formatClock(result.at))
  return result.statement === statement ? undefined : sqlText.changed(formatClock(result.at))
}
