import type { RefObject } from 'preact'
import { useId, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { Checkbox } from '../parts/checkbox.tsx'
import { classNames } from '../parts/class-names.ts'
import { FixedRows, type FixedRowsHandle } from '../parts/fixed-rows.tsx'
import { tableText } from '../text/table.ts'
import type { CallRow } from './call-row.ts'
import { Cell, type CellFacts } from './cells.tsx'
import type { Column } from './columns.ts'
import css from './data-table.module.css'
import { gridTemplate } from './grid-template.ts'
import { HeadCell } from './head-cell.tsx'
import { columnById, type KnownColumn } from './known-columns.ts'
import { type Selection, selectionState } from './selection.ts'
import type { Sort } from './sort.ts'

/** What somebody does with a table. */
export interface TableActions {
  readonly open: (row: CallRow) => void
  readonly hrefOf: (row: CallRow) => string
  readonly setCursor: (index: number) => void
  readonly toggle: (row: CallRow, isRange: boolean) => void
  readonly toggleAll: () => void
  readonly changeColumns: (columns: readonly Column[]) => void
  readonly sortBy: (column: KnownColumn) => void
  /** Asks for the menu of a cell. */
  readonly cellMenu: (row: CallRow, column: KnownColumn, anchor: HTMLElement) => void
  /** Tells which rows exist on screen. */
  readonly shown: (first: number, last: number) => void
}

/**
 * A windowed grid of calls. One tab stop; arrows, Home, End and page keys move the cursor inside,
 * Space selects its row.
 */
export function DataTable(props: DataTableProps) {
  const { rows, columns, selection, cursor, rowHeight, actions, label, rowCount, list, box } = props
  const template = useMemo(() => gridTemplate(columns), [columns])
  const known = columns.map(({ id }) => columnById(id))
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
          own={columns[index]!}
          columns={columns}
          sort={props.sort}
          pinnedAt={template.pinnedAt.get(column.id)}
          onSort={() => actions.sortBy(column)}
          onChange={actions.changeColumns}
        />
      ))}
    </div>
  )

  const render = (index: number) => {
    const row = rows[index]!
    const isChecked = selection.ids.has(row.id)
    return (
      <div
        key={row.id}
        id={`${prefix}-${index}`}
        role="row"
        aria-rowindex={index + 2}
        aria-selected={isChecked}
        class={classNames(css.row, index === cursor && css.cursor, isChecked && css.checked)}
        style={{ ...style, height: `${rowHeight}px` }}
        onClick={(event) => clicked(event, row, index)}
      >
        <div role="gridcell" class={css.check} data-keep>
          <Checkbox
            checked={isChecked}
            label={tableText.select(row.name)}
            tabIndex={-1}
            onChange={(_, event) => actions.toggle(row, event.shiftKey)}
          />
        </div>
        {known.map((column) => (
          <BodyCell
            key={column.id}
            row={row}
            column={column}
            facts={props.factsOf(row)}
            pinnedAt={template.pinnedAt.get(column.id)}
            actions={actions}
          />
        ))}
      </div>
    )
  }

  const clicked = (event: MouseEvent, row: CallRow, index: number): void => {
    const target = event.target as Element
    if (target.closest('[data-keep], a, button')) return
    actions.setCursor(index)
    if (event.shiftKey) actions.toggle(row, true)
    else if (event.metaKey || event.ctrlKey) open(actions.hrefOf(row), '_blank', 'noopener')
    // Whoever marked text in the row wants to copy it.
    else if (!getSelection()?.toString()) actions.open(row)
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

  /** Whoever comes by Tab sees where. */
  const entered = ({ target, currentTarget }: FocusEvent): void => {
    const isByKey = target === currentTarget && (target as Element).matches(':focus-visible')
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
        count={rows.length}
        rowHeight={rowHeight}
        overscan={6}
        list={handle}
        onRange={actions.shown}
        before={head}
        render={render}
      />
    </div>
  )
}

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

/** Columns whose cells are a value to filter by. */
const choices = new Set(['op', 'thread', 'user', 'name', 'value'])

function BodyCell({ row, column, facts, pinnedAt, actions }: BodyCellProps) {
  const content = <Cell column={column} row={row} facts={facts} />
  const isText = column.kind === 'input' || column.kind === 'output'
  const pinned = pinnedAt === undefined ? undefined : { left: `${pinnedAt}px` }
  const className = classNames(css.cell, css[column.kind], column.isNumeric && css.numeric, pinned && css.pinned)
  const hasMenu = choices.has(column.kind) && (column.kind !== 'value' || facts.values?.[column.id])
  return (
    <div
      role="gridcell"
      class={className}
      style={pinned}
      onContextMenu={(event) => {
        event.preventDefault()
        actions.cellMenu(row, column, event.currentTarget)
      }}
    >
      {column.kind === 'input' ? (
        <a href={actions.hrefOf(row)} tabIndex={-1} class={classNames('cut', css.link)}>
          {row.input === '' ? <span class={css.nothing}>{row.name}</span> : content}
        </a>
      ) : hasMenu ? (
        <button
          type="button"
          tabIndex={-1}
          class={css.choice}
          aria-haspopup="menu"
          onClick={(event) => actions.cellMenu(row, column, event.currentTarget)}
        >
          {content}
        </button>
      ) : isText ? (
        <span class="cut">{content}</span>
      ) : (
        content
      )}
    </div>
  )
}

interface BodyCellProps {
  readonly row: CallRow
  readonly column: KnownColumn
  readonly facts: CellFacts
  readonly pinnedAt: number | undefined
  readonly actions: TableActions
}
