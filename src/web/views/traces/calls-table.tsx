import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../../components/controls/button.tsx'
import { Banner } from '../../components/states/banner.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import type { FilterNode } from '../../filter/expression.ts'
import { useKeys } from '../../state/keys.ts'
import { preferences } from '../../state/preferences.ts'
import { type CallPages, rowsMax } from '../../table/call-pages.ts'
import type { CallRow } from '../../table/call-row.ts'
import type { Column } from '../../table/columns/columns.ts'
import { gridTemplate } from '../../table/columns/grid-template.ts'
import { nextSort, type Sort } from '../../table/columns/sort.ts'
import { CardList } from '../../table/rows/card-list.tsx'
import { CellMenu, type OpenCell } from '../../table/rows/cell-menu.tsx'
import { DataTable, type TableActions } from '../../table/rows/data-table.tsx'
import { batchesAround, firstBatch, useRowFacts } from '../../table/rows/use-row-facts.ts'
import { allToggled, extended, type Selection, toggled } from '../../table/selection.ts'
import { partsText } from '../../text/parts.ts'
import { tableText } from '../../text/table.ts'

const rowHeights = { compact: 26, default: 30, roomy: 40 }
const readAhead = 60

/** The rows: a grid, or cards on a phone; loading, nothing, and what went wrong. */
export function CallsTable(props: CallsTableProps) {
  const { pages, rows, rootsOnly, columns, selection, onSelect, hrefOf, onOpen } = props
  const [onScreen, setOnScreen] = useState(firstBatch)
  const [cursor, setCursor] = useState(pages.cursorRow)
  const [cell, setCell] = useState<OpenCell>()
  const box = useRef<HTMLDivElement>(null)
  const placed = useRef<Element>(undefined)
  const state = pages.state.value
  const factsOf = useRowFacts({ projectId: props.projectId, rootsOnly }, rows, columns, onScreen, rows.length > 0)
  const label = rootsOnly ? tableText.traces : tableText.calls

  useLayoutEffect(() => setCursor(pages.cursorRow), [pages])
  useLayoutEffect(() => {
    pages.cursorRow = cursor
  }, [cursor])
  useLayoutEffect(() => {
    const scroller = box.current?.firstElementChild
    if (!scroller) return
    // A new scroller is at the top; setting that would make the browser lay out the page at once.
    if (pages.scrollTop > 0 || placed.current === scroller) scroller.scrollTop = pages.scrollTop
    placed.current = scroller
    const keep = () => {
      pages.scrollTop = scroller.scrollTop
    }
    scroller.addEventListener('scroll', keep, { passive: true })
    return () => scroller.removeEventListener('scroll', keep)
  }, [pages, rows.length > 0, props.isPhone])

  const order = () => rows.map(({ id }) => id)
  const row = rows[cursor]
  const step = (by: number) => setCursor(Math.max(0, Math.min(rows.length - 1, cursor + by)))
  useKeys([
    { keys: 'j', does: tableText.keyWords.down, run: () => step(1) },
    { keys: 'k', does: tableText.keyWords.up, run: () => step(-1) },
    { keys: 'x', does: tableText.keyWords.select, run: () => row && onSelect(toggled(selection, row.id)) },
    { keys: 'Enter', does: tableText.keyWords.open, run: (event) => row && isRowTarget(event) && onOpen(row) },
  ])

  const actions: TableActions = {
    open: onOpen,
    hrefOf,
    setCursor,
    toggle: ({ id }, isRange) => onSelect(isRange ? extended(selection, id, order()) : toggled(selection, id)),
    toggleAll: () => onSelect(allToggled(selection, order())),
    changeColumns: props.onColumns,
    sortBy: (column) => props.onSort(nextSort(props.sort, column.id, column.firstSort)),
    cellMenu: (menuRow, column, anchor) => setCell({ row: menuRow, column, anchor, facts: factsOf(menuRow) }),
    shown: (first, last) => {
      setOnScreen((known) => batchesAround(first, last, known))
      if (last + readAhead >= rows.length) pages.more()
    },
  }

  if (rows.length === 0) {
    if (state === 'failed') return <ErrorState error={pages.failure.value} retry={() => pages.retry()} />
    if (state !== 'reading') return <>{props.nothing}</>
    const template = props.isPhone ? '16px 1fr 60px' : gridTemplate(columns).columns
    return <LoadingRows columns={template} rows={20} what={tableText.readingRows(props.rangeWords)} />
  }
  return (
    <>
      {props.isPhone ? (
        <CardList rows={rows} label={label} factsOf={factsOf} hrefOf={hrefOf} shown={actions.shown} box={box} />
      ) : (
        <DataTable
          label={label}
          rows={rows}
          rowCount={state === 'complete' ? rows.length : undefined}
          columns={columns}
          sort={props.sort}
          selection={selection}
          cursor={cursor}
          rowHeight={rowHeights[preferences.value.density]}
          factsOf={factsOf}
          actions={actions}
          box={box}
        />
      )}
      {state === 'failed' && (
        <Banner
          tone="error"
          action={
            <Button kind="quiet" size="compact" onClick={() => pages.retry()}>
              {partsText.tryAgain}
            </Button>
          }
        >
          {tableText.moreFailed}
        </Banner>
      )}
      {rows.length >= rowsMax && <Banner tone="info">{tableText.rowsMax(rowsMax)}</Banner>}
      {cell && (
        <CellMenu
          cell={cell}
          onClose={() => setCell(undefined)}
          onFilter={(node) => {
            setCell(undefined)
            props.onFilter(node)
          }}
          hrefOf={hrefOf}
        />
      )}
    </>
  )
}

/** Enter on a control does what the control does. */
const isRowTarget = ({ target }: KeyboardEvent): boolean =>
  !(target instanceof Element && target.closest('a, button, input, select, [role=option]'))

interface CallsTableProps {
  readonly pages: CallPages
  /** Its rows without those that are being deleted. */
  readonly rows: readonly CallRow[]
  readonly projectId: string
  readonly rootsOnly: boolean
  readonly columns: readonly Column[]
  readonly sort: Sort
  readonly selection: Selection
  readonly isPhone: boolean
  /** The time range in words, for the message while rows are read. */
  readonly rangeWords: string
  readonly hrefOf: (row: CallRow) => string
  readonly onOpen: (row: CallRow) => void
  readonly onSelect: (selection: Selection) => void
  readonly onFilter: (node: FilterNode) => void
  readonly onColumns: (columns: readonly Column[]) => void
  readonly onSort: (sort: Sort) => void
  /** Shown where no row matches. */
  readonly nothing: ComponentChildren
}
