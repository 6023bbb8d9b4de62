import { tableText } from '../text/table.ts'
import type { CallRow } from './call-row.ts'
import css from './result.module.css'
import { preview } from './rows/preview.tsx'

/** The output or the error of a call; an error below it takes precedence over its output. */
export function Result({ row }: { row: Pick<CallRow, 'error' | 'errorInside' | 'output' | 'status'> }) {
  if (row.error !== null) return <span class={css.error}>{row.error}</span>
  if (row.errorInside === null || !showsInside.has(row.status)) return <>{preview(row.output)}</>
  return (
    <>
      <span class={css.inside} data-tip={tableText.errorInside(row.errorInside)}>
        {row.errorInside}
      </span>
      {row.output !== '' && <span class={css.after}>{preview(row.output)}</span>}
    </>
  )
}

/** A client that counts no errors below a call says that it succeeded. */
const showsInside: ReadonlySet<string> = new Set(['descendant_error', 'running'])
