import { ChevronDown, ChevronUp } from 'lucide'
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { itemAt, ownValue } from '../../lib/present.ts'
import { classNames } from '../components/display/class-names.ts'
import { Icon } from '../components/display/icon.tsx'
import { datasetText } from '../text/dataset.ts'
import { CellEditor } from './cell-editor.tsx'
import type { Column } from './cells.ts'
import { type ColumnLayout, tracksOf } from './column-layout.ts'
import { type EditedCell, type Edits, textOf } from './edits.ts'
import css from './grid.module.css'
import { type GridActions, GridRowView, rowName } from './grid-row.tsx'
import type { RowSort } from './table-rows.ts'
import type { GridRow, GridRows } from './use-rows.ts'
import { useWindow } from './use-window.ts'

const rowHeight = 30
const headHeight = 45
const overscan = 12

/** A cell of the grid: place of its row, and index of its column. */
export interface Cursor {
  readonly place: number
  readonly column: number
}

interface DatasetGridProps {
  readonly projectId: string
  readonly name: string
  readonly rows: GridRows
  readonly rowCount: number
  readonly columns: readonly Column[]
  readonly edits: Edits
  readonly layout: ColumnLayout
  readonly onLayout: (layout: ColumnLayout) => void
  readonly sort: RowSort | undefined
  readonly onSort: ((column: string) => void) | undefined
  readonly cursor: Cursor
  readonly onCursor: (cursor: Cursor) => void
  readonly checked: ReadonlyMap<number, GridRow>
  readonly onToggle: (place: number, isRange: boolean) => void
  readonly isReadOnly: boolean
  readonly onEdit: (row: GridRow, column: string, cell: EditedCell) => void
  /** Changes whenever the cursor is to be brought into the middle of the view. */
  readonly jump: number
  readonly onRange: (first: number, last: number) => void
}

/**
 * Rows of a dataset, of which only those in view exist, with a cursor that goes from cell to cell.
 */
export function DatasetGrid(props: DatasetGridProps) {
  const { projectId, name, rows, rowCount, columns, edits, layout, cursor, checked, isReadOnly } = props
  const gridId = useId()
  const [editing, setEditing] = useState<Cursor>()
  const { count } = rows
  const view = useWindow({ count, rowHeight, headHeight, overscan })
  const { first, last, box } = view
  const template = useMemo(() => tracksOf(columns, layout, rowCount), [columns, layout, rowCount])
  useEffect(() => rows.want(first, last), [first, last, rows])
  useLayoutEffect(() => {
    props.onRange(
      Math.min(count, first + (first > 0 ? overscan : 0)),
      Math.max(0, last - (last < count ? overscan : 0)),
    )
  }, [first, last, count])
  useLayoutEffect(() => {
    if (props.jump > 0) view.show(cursor.place, 'middle')
  }, [props.jump])

  const latest = useRef(props)
  latest.current = props
  const focus = () => box.current?.focus({ preventScroll: true })
  const go = (place: number, column: number) => {
    const next = {
      place: Math.max(0, Math.min(count - 1, place)),
      column: Math.max(0, Math.min(columns.length - 1, column)),
    }
    props.onCursor(next)
    view.show(next.place, 'nearest')
    showColumn(box.current, next.column)
  }
  const actions = useMemo<GridActions>(
    () => ({
      point: (place, column) => latest.current.onCursor({ place, column }),
      edit: (place, column) => setEditing({ place, column }),
      toggle: (place, isRange) => latest.current.onToggle(place, isRange),
    }),
    [],
  )
  const edit = () => {
    if (columns.length > 0 && rows.at(cursor.place).id !== undefined) setEditing(cursor)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== box.current || event.altKey) return
    const page = Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / rowHeight) - 2)
    const isFar = event.ctrlKey || event.metaKey
    const to = {
      ArrowDown: [isFar ? count - 1 : cursor.place + 1, cursor.column],
      ArrowUp: [isFar ? 0 : cursor.place - 1, cursor.column],
      ArrowRight: [cursor.place, isFar ? columns.length - 1 : cursor.column + 1],
      ArrowLeft: [cursor.place, isFar ? 0 : cursor.column - 1],
      PageDown: [cursor.place + page, cursor.column],
      PageUp: [cursor.place - page, cursor.column],
      Home: [isFar ? 0 : cursor.place, 0],
      End: [isFar ? count - 1 : cursor.place, columns.length - 1],
    }[event.key]
    if (to !== undefined) go(itemAt(to, 0), itemAt(to, 1))
    else if (event.key === 'Enter' || event.key === 'F2') edit()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const editedRow = editing && rows.at(editing.place)
  const editedColumn = editing && columns[editing.column]
  return (
    <div
      ref={box}
      class={css.box}
      role="grid"
      tabIndex={0}
      aria-label={datasetText.grid(name)}
      aria-rowcount={count + 1}
      aria-colcount={columns.length + 2}
      aria-readonly={isReadOnly}
      aria-multiselectable
      aria-activedescendant={count > 0 ? `${gridId}-${cursor.place}-${cursor.column}` : undefined}
      data-keys="own"
      onScroll={view.measure}
      onKeyDown={onKeyDown}
    >
      <div
        role="row"
        aria-rowindex={1}
        class={css.head}
        style={{ gridTemplateColumns: template.columns, minWidth: `${template.minWidth}px` }}
      >
        <div role="columnheader" class={css.check}>
          <span class="sr-only">{datasetText.selection}</span>
        </div>
        <div role="columnheader" class={css.number}>
          {datasetText.row}
        </div>
        {columns.map((column) => (
          <HeadCell key={column.name} column={column} {...props} />
        ))}
      </div>
      <div
        role="presentation"
        class={css.rows}
        style={{ height: `${view.height}px`, minWidth: `${template.minWidth}px` }}
      >
        <div role="presentation" class={css.block} style={{ top: `${view.top}px` }}>
          {Array.from({ length: Math.max(0, last - first) }, (_, offset) => {
            const place = first + offset
            const { id, row, added } = rows.at(place)
            const key = id ?? `place ${place}`
            return (
              <GridRowView
                key={key}
                projectId={projectId}
                gridId={gridId}
                place={place}
                row={row}
                added={added}
                columns={columns}
                template={template.columns}
                edits={added?.cells ?? (id === undefined ? undefined : edits.edited[id]?.cells)}
                isDeleted={id !== undefined && id in edits.deleted}
                isChecked={id !== undefined && checked.has(id)}
                cursor={place === cursor.place ? cursor.column : undefined}
                canSelect
                actions={actions}
              />
            )
          })}
        </div>
        {editing && editedRow && editedColumn && (
          <CellEditor
            key={`${editing.place} ${editing.column}`}
            text={textOf(
              ownValue(cellsOf(editedRow, edits), editedColumn.name),
              editedRow.row?.cells.get(editedColumn.name),
            )}
            cell={ownValue(cellsOf(editedRow, edits), editedColumn.name)}
            columnKind={editedColumn.kind}
            label={datasetText.editCell(editedColumn.name, rowName(editedRow))}
            isReadOnly={isReadOnly}
            at={placeOfEditor(box.current, `${gridId}-${editing.place}-${editing.column}`)}
            onKeep={(cell, move) => {
              setEditing(undefined)
              props.onEdit(editedRow, editedColumn.name, cell)
              if (move === 'stay') return
              focus()
              if (move === 'down') go(editing.place + 1, editing.column)
            }}
            onLeave={() => {
              setEditing(undefined)
              focus()
            }}
          />
        )}
      </div>
    </div>
  )
}

const cellsOf = ({ id, added }: GridRow, edits: Edits) =>
  added?.cells ?? (id === undefined ? undefined : edits.edited[id]?.cells)

/** Scrolls sideways until a column is in view, beside the columns that stay. */
function showColumn(box: HTMLElement | null, column: number): void {
  const cell = box?.querySelectorAll<HTMLElement>('[role=columnheader]')[column + 2]
  if (!box || !cell) return
  const lead = 110
  const [left, right] = [cell.offsetLeft - lead, cell.offsetLeft + cell.offsetWidth - box.clientWidth]
  if (box.scrollLeft > left) box.scrollLeft = left
  else if (box.scrollLeft < right) box.scrollLeft = Math.min(left, right)
}

/** Where the editor of a cell stands: over it, yet inside the grid. */
function placeOfEditor(box: HTMLElement | null, cellId: string) {
  const cell = document.getElementById(cellId)
  const content = cell?.closest<HTMLElement>(`.${css.rows}`)
  if (!box || !cell || !content) return { left: 0, top: 0, isAbove: false, width: 0 }
  const [own, around, shown] = [cell, content, box].map((element) => element.getBoundingClientRect())
  if (!own || !around || !shown) return { left: 0, top: 0, isAbove: false, width: 0 }
  const width = Math.min(532, shown.width - 16)
  const left = Math.max(box.scrollLeft + 8, Math.min(own.left - around.left, box.scrollLeft + shown.width - width - 8))
  const isAbove = own.top - shown.top > shown.height * 0.6
  return { left, top: (isAbove ? own.bottom : own.top) - around.top, isAbove, width: Math.min(own.width, width) }
}

interface HeadCellProps extends DatasetGridProps {
  readonly column: Column
}

/** Name and type of a column: sorts on a click, and has its right edge for its width. */
function HeadCell({ column: { name, kind }, sort, onSort, layout, onLayout }: HeadCellProps) {
  const cell = useRef<HTMLDivElement>(null)
  const from = useRef<{ readonly x: number; readonly width: number } | undefined>(undefined)
  const isSorted = sort?.column === name
  const resize = (width: number | undefined) => {
    const { [name]: _, ...others } = layout.widths
    onLayout({
      ...layout,
      widths: width === undefined ? others : { ...others, [name]: Math.max(48, Math.round(width)) },
    })
  }
  return (
    <div
      ref={cell}
      role="columnheader"
      aria-sort={isSorted ? (sort.direction === 'asc' ? 'ascending' : 'descending') : undefined}
      class={classNames(css.headCell, kind === 'number' && css.numeric)}
    >
      {onSort ? (
        <button
          type="button"
          tabIndex={-1}
          class={css.name}
          data-tip={datasetText.sortBy(name)}
          onClick={() => onSort(name)}
        >
          <span class="cut" dir="auto">
            {name}
          </span>
          {isSorted && <Icon of={sort.direction === 'asc' ? ChevronUp : ChevronDown} size={14} />}
        </button>
      ) : (
        <span class={classNames(css.name, 'cut')} dir="auto">
          {name}
        </span>
      )}
      <span class={css.kind}>{datasetText.kinds[kind]}</span>
      <div
        role="presentation"
        class={css.edge}
        data-tip={datasetText.resize(name)}
        onPointerDown={(event) => {
          event.preventDefault()
          event.currentTarget.setPointerCapture(event.pointerId)
          from.current = { x: event.clientX, width: cell.current?.offsetWidth ?? 0 }
        }}
        onPointerMove={(event) => from.current && resize(from.current.width + event.clientX - from.current.x)}
        onPointerUp={() => {
          from.current = undefined
        }}
        onDblClick={() => resize(undefined)}
      />
    </div>
  )
}
