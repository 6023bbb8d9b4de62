import type { RefObject, TargetedFocusEvent } from 'preact'
import { useId, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { itemAt } from '../../../lib/present.ts'
import { Checkbox } from '../../components/controls/checkbox.tsx'
import { FixedRows, type FixedRowsHandle } from '../../components/display/fixed-rows.tsx'
import { tableText } from '../../text/table.ts'
import type { CallRow } from '../call-row.ts'
import type { Column } from '../columns/columns.ts'
import { gridTemplate, opCharsOf } from '../columns/grid-template.ts'
import { columnById, type KnownColumn } from '../columns/known-columns.ts'
import type { Sort } from '../columns/sort.ts'
import { type Selection, selectionState } from '../selection.ts'
import type { CellFacts } from './cells.tsx'
import css from './data-table.module.css'
import { HeadCell } from './head-cell.tsx'
import { type RowActions, TableRow } from './table-row.tsx'

/** Event handlers of a table. */
export interface TableActions extends RowActions {
  readonly toggleAll: () => void
  readonly changeColumns: (columns: readonly Column[]) => void
  readonly sortBy: (column: KnownColumn) => void
  /** Tells which rows exist on screen. */
  readonly shown: (first: number, last: number) => void
}

/**
 * A windowed grid of calls. One tab stop; arrows, Home, End and page keys move the cursor inside,
 * Space selects its row.
 */
export function DataTable(props: DataTableProps) {
  const { rows, columns, selection, cursor, rowHeight, actions, label, rowCount, list, box } = props
  const opChars = opCharsOf(rows)
  const template = useMemo(() => gridTemplate(columns, opChars), [columns, opChars])
  const known = useMemo(() => columns.map(({ id }) => columnById(id)), [columns])
  const order = useMemo(() => rows.map(({ id }) => id), [rows])
  const prefix = useId()
  const checked = selectionState(selection, order)
  const style = { gridTemplateColumns: template.columns, minWidth: `${template.minWidth}px` }
  const own = useRef<FixedRowsHandle>(null)
  const handle = list ?? own
  useLayoutEffect(() => {
    if (cursor >= 0) handle.current?.show(cursor)
  }, [cursor])

  const head = (
    <div role="row" aria-rowindex={1} class={css.head} style={style}>
      <div role="columnheader" class={css.check}>
        <Checkbox
          checked={checked === 'all'}
          mixed={checked === 'some'}
          label={tableText.selectAll}
          onChange={actions.toggleAll}
        />
      </div>
      {known.map((column, index) => (
        <HeadCell
          key={column.id}
          column={column}
          own={itemAt(columns, index)}
          columns={columns}
          sort={props.sort}
          pinnedAt={template.pinnedAt.get(column.id)}
          onSort={() => actions.sortBy(column)}
          onChange={actions.changeColumns}
        />
      ))}
    </div>
  )

  const latest = useRef(actions)
  latest.current = actions
  const rowActions = useMemo<RowActions>(
    () => ({
      open: (row) => latest.current.open(row),
      hrefOf: (row) => latest.current.hrefOf(row),
      setCursor: (index) => latest.current.setCursor(index),
      toggle: (row, isRange) => latest.current.toggle(row, isRange),
      cellMenu: (row, column, anchor) => latest.current.cellMenu(row, column, anchor),
    }),
    [],
  )

  const render = (row: CallRow, index: number) => {
    const facts = props.factsOf(row)
    return (
      <TableRow
        key={row.id}
        id={`${prefix}-${index}`}
        row={row}
        index={index}
        columns={known}
        template={template}
        height={rowHeight}
        isChecked={selection.ids.has(row.id)}
        isCursor={index === cursor}
        usage={facts.usage}
        values={facts.values}
        scale={facts.scale}
        scores={facts.scores}
        actions={rowActions}
      />
    )
  }

  const moved = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor((box.current?.clientHeight ?? 600) / rowHeight) - 2)
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: cursor + 1,
      ArrowUp: cursor - 1,
      PageDown: cursor + page,
      PageUp: cursor - page,
      Home: 0,
      End: rows.length - 1,
    }
    if (event.key === ' ' && rows[cursor]) {
      event.preventDefault()
      actions.toggle(rows[cursor], event.shiftKey)
      return
    }
    const next = steps[event.key]
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    actions.setCursor(Math.max(0, Math.min(rows.length - 1, next)))
  }

  /** Focus by Tab puts the cursor on the first row. */
  const entered = ({ target, currentTarget }: TargetedFocusEvent<HTMLElement>): void => {
    const isByKey = target === currentTarget && currentTarget.matches(':focus-visible')
    if (isByKey && cursor < 0 && rows.length > 0) actions.setCursor(0)
  }

  return (
    <div ref={box} class={css.box}>
      <FixedRows
        role="grid"
        aria-label={label}
        aria-rowcount={rowCount === undefined ? -1 : rowCount + 1}
        aria-colcount={columns.length + 1}
        aria-multiselectable
        aria-activedescendant={cursor >= 0 && cursor < rows.length ? `${prefix}-${cursor}` : undefined}
        tabIndex={0}
        class={css.grid}
        onKeyDown={moved}
        onFocus={entered}
        items={rows}
        rowHeight={rowHeight}
        overscan={6}
        list={handle}
        onRange={actions.shown}
        before={head}
        around={aroundTable}
        render={render}
      />
    </div>
  )
}

/** The bars of the page, the filter and the chart above the rows. */
const aroundTable = 260

interface DataTableProps {
  readonly label: string
  readonly rows: readonly CallRow[]
  /** All rows there are, as far as known. */
  readonly rowCount: number | undefined
  readonly columns: readonly Column[]
  readonly sort: Sort
  readonly selection: Selection
  /** Index of the row under the keys; -1 for none. */
  readonly cursor: number
  readonly rowHeight: number
  readonly factsOf: (row: CallRow) => CellFacts
  readonly actions: TableActions
  readonly list?: RefObject<FixedRowsHandle | null>
  readonly box: RefObject<HTMLDivElement | null>
}
