import type { ComponentChildren } from 'preact'
import { classNames } from './class-names.ts'
import css from './table.module.css'

/** Head of a column; numbers are right-aligned. */
interface Column {
  readonly id: string
  /** Empty for columns of buttons: pass a label for screen readers. */
  readonly name: ComponentChildren
  readonly isNumber?: boolean
  /** Left out on phones. */
  readonly isExtra?: boolean
  /** Takes the remaining width. */
  readonly isWide?: boolean
}

/** A short table in a box, for settings. Large tables are windowed elsewhere. */
export const Table = ({ columns, rows, label, foot }: TableProps) => (
  <div class={css.box}>
    <table class={css.table} aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.id} scope="col" class={cellClass(column)}>
              {column.name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, cells, isOff }) => (
          <tr key={id} class={isOff ? css.off : undefined}>
            {columns.map((column) => (
              <td key={column.id} class={cellClass(column)}>
                {cells[column.id]}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
    {foot}
  </div>
)

const cellClass = ({ isNumber, isExtra, isWide }: Column): string | undefined =>
  classNames(isNumber && css.number, isExtra && css.extra, isWide && css.wide) || undefined

interface TableProps {
  readonly columns: readonly Column[]
  readonly rows: readonly {
    readonly id: string
    /** By the id of the column. */
    readonly cells: Readonly<Record<string, ComponentChildren>>
    /** No longer in use: in grey. */
    readonly isOff?: boolean
  }[]
  readonly label: string
  /** Content below the rows, inside the box. */
  readonly foot?: ComponentChildren
}
