import { ChevronDown, ChevronUp } from 'lucide'
import { useRef, useState } from 'preact/hooks'
import { classNames } from '../../components/display/class-names.ts'
import { Icon } from '../../components/display/icon.tsx'
import { tableText } from '../../text/table.ts'
import { type Column, moved, resized } from '../columns/columns.ts'
import type { KnownColumn } from '../columns/known-columns.ts'
import type { Sort } from '../columns/sort.ts'
import css from './head-cell.module.css'

const step = 16

/** Head of a column: sorts on a click, moves when dragged, and has its right edge for its width. */
export function HeadCell({ column, own, columns, sort, pinnedAt, onSort, onChange }: HeadCellProps) {
  const isSorted = sort.id === column.id
  const cell = useRef<HTMLDivElement>(null)
  const [isTarget, setTarget] = useState(false)
  return (
    <div
      ref={cell}
      role="columnheader"
      aria-sort={isSorted ? (sort.direction === 'asc' ? 'ascending' : 'descending') : undefined}
      class={classNames(
        css.head,
        column.isNumeric && css.numeric,
        pinnedAt !== undefined && css.pinned,
        isTarget && css.target,
      )}
      style={pinnedAt === undefined ? undefined : { left: `${pinnedAt}px` }}
      draggable={column.kind !== 'status'}
      onDragStart={(event) => event.dataTransfer?.setData(dragType, column.id)}
      onDragOver={(event) => {
        if (!event.dataTransfer?.types.includes(dragType)) return
        event.preventDefault()
        setTarget(true)
      }}
      onDragLeave={() => setTarget(false)}
      onDrop={(event) => {
        event.preventDefault()
        setTarget(false)
        const id = event.dataTransfer?.getData(dragType)
        if (id) onChange(moved(columns, id, columns.indexOf(own)))
      }}
    >
      {column.canSort ? (
        <button type="button" tabIndex={-1} class={css.sort} onClick={onSort}>
          <span class="cut">{column.label}</span>
          {isSorted && <Icon of={sort.direction === 'asc' ? ChevronUp : ChevronDown} size={14} />}
        </button>
      ) : (
        <span class={column.kind === 'status' ? 'sr-only' : 'cut'}>{column.label}</span>
      )}
      {column.kind !== 'status' && (
        <Edge
          label={tableText.resize(column.label)}
          width={own.width ?? column.width}
          widthNow={() => cell.current?.offsetWidth ?? column.width}
          onWidth={(width) => onChange(resized(columns, column.id, width))}
        />
      )}
    </div>
  )
}

const dragType = 'application/x-tracelake-column'

/** The handle between two heads. A double click gives the column its own width back. */
function Edge({ label, width, widthNow, onWidth }: EdgeProps) {
  const from = useRef<{ x: number; width: number } | undefined>(undefined)
  return (
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={Math.round(width)}
      tabIndex={-1}
      class={css.edge}
      onPointerDown={(event) => {
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
        from.current = { x: event.clientX, width: widthNow() }
      }}
      onPointerMove={(event) => from.current && onWidth(from.current.width + event.clientX - from.current.x)}
      onPointerUp={() => {
        from.current = undefined
      }}
      onDblClick={() => onWidth(undefined)}
      onKeyDown={(event) => {
        const by = { ArrowRight: step, ArrowLeft: -step }[event.key]
        if (by !== undefined) onWidth(widthNow() + by)
      }}
    />
  )
}

interface EdgeProps {
  readonly label: string
  /** The width that the column asks for, in pixels. */
  readonly width: number
  /** Its width on the screen. */
  readonly widthNow: () => number
  readonly onWidth: (width: number | undefined) => void
}

interface HeadCellProps {
  readonly column: KnownColumn
  readonly own: Column
  readonly columns: readonly Column[]
  readonly sort: Sort
  readonly pinnedAt: number | undefined
  readonly onSort: () => void
  readonly onChange: (columns: readonly Column[]) => void
}
