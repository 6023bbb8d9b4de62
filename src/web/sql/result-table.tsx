import { useMemo } from 'preact/hooks'
import { classNames } from '../components/display/class-names.ts'
import { FixedRows } from '../components/display/fixed-rows.tsx'
import { sqlText } from '../text/sql.ts'
import { isNumeric, shortText, typeWord, widthsOf } from './cells.ts'
import css from './result-table.module.css'
import type { Result } from './run-statement.ts'

const rowHeight = 26

/** The rows of a statement; only those in view exist. */
export function ResultTable({ result }: { result: Result }) {
  const { columns, rows } = result
  const widths = useMemo(() => widthsOf(result), [result])
  const style = {
    gridTemplateColumns: `52px ${widths.map((width) => `${width}px`).join(' ')} 1fr`,
    minWidth: `${widths.reduce((sum, width) => sum + width, 52)}px`,
  }
  const head = (
    <div role="row" class={classNames(css.row, css.head)} style={style}>
      <span role="columnheader" class={css.index}>
        <span class="sr-only">#</span>
      </span>
      {columns.map(({ name, type }, index) => (
        <span key={index} role="columnheader" class={classNames(css.name, isNumeric(type) && css.number)}>
          <span class="cut">{name}</span>
          <span class={css.type}>{typeWord(type)}</span>
        </span>
      ))}
    </div>
  )
  return (
    <FixedRows
      role="table"
      aria-label={sqlText.result}
      aria-rowcount={rows.length + 1}
      tabIndex={0}
      class={css.table}
      items={rows}
      rowHeight={rowHeight}
      before={head}
      render={(row, index) => (
        <div key={index} role="row" aria-rowindex={index + 2} class={css.row} style={style}>
          <span role="cell" class={css.index}>
            {index + 1}
          </span>
          {columns.map(({ type }, at) => {
            const text = shortText(row[at])
            return (
              <span key={at} role="cell" class={classNames('cut', isNumeric(type) && css.number)} dir="auto">
                {text === undefined ? <span class={css.nothing}>NULL</span> : text}
              </span>
            )
          })}
        </div>
      )}
    />
  )
}
