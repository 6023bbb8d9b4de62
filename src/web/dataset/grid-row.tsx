import { Check, Image, MessageSquare, X } from 'lucide'
import { ownValue } from '../../lib/present.ts'
import { fileUrl } from '../api/file-url.ts'
import { Checkbox } from '../components/controls/checkbox.tsx'
import { classNames } from '../components/display/class-names.ts'
import { Icon } from '../components/display/icon.tsx'
import { memo } from '../components/display/memo.ts'
import { callPath } from '../state/paths.ts'
import { datasetText } from '../text/dataset.ts'
import { type CellKind, type Column, callIdOf, imageOf, kindOf, previewOf } from './cells.ts'
import { type EditedCell, type EditedCells, textOf } from './edits.ts'
import css from './grid.module.css'
import type { GridRow } from './use-rows.ts'

/** What somebody does with cells; the same object at every render. */
export interface GridActions {
  readonly point: (place: number, column: number) => void
  readonly edit: (place: number, column: number) => void
  readonly toggle: (place: number, isRange: boolean) => void
}

interface GridRowProps {
  readonly projectId: string
  readonly gridId: string
  readonly place: number
  readonly row: GridRow['row']
  readonly added: GridRow['added']
  readonly columns: readonly Column[]
  readonly template: string
  readonly edits: EditedCells | undefined
  readonly isDeleted: boolean
  readonly isChecked: boolean
  /** Column of the cursor, if it is in this row. */
  readonly cursor: number | undefined
  readonly canSelect: boolean
  readonly actions: GridActions
}

/** Name of a row: its number in the version, or that it is new. */
export const rowName = ({ row, added }: Pick<GridRow, 'row' | 'added'>): string =>
  added ? datasetText.newRow : row ? datasetText.rowNumber(row.index) : ''

/** A row of the grid. It renders again only when something in it changes. */
export const GridRowView = memo((props: GridRowProps) => {
  const { gridId, place, row, added, columns, template, edits, isDeleted, isChecked, cursor, actions } = props
  const isThere = row !== undefined || added !== undefined
  return (
    <div
      role="row"
      aria-rowindex={place + 2}
      aria-selected={props.canSelect ? isChecked : undefined}
      aria-busy={isThere ? undefined : true}
      class={classNames(css.row, added && css.added, isDeleted && css.deleted, isChecked && css.checked)}
      style={{ gridTemplateColumns: template }}
    >
      <div role="gridcell" class={css.check}>
        {props.canSelect && isThere && (
          <Checkbox
            checked={isChecked}
            label={datasetText.select(rowName(props))}
            tabIndex={-1}
            onChange={(_, event) => actions.toggle(place, event.shiftKey)}
          />
        )}
      </div>
      <div role="rowheader" class={css.number}>
        {added ? <span class={css.sign}>+</span> : isDeleted && <span class={css.sign}>−</span>}
        {added ? <span class="sr-only">{datasetText.newRow}</span> : rowName(props)}
      </div>
      {columns.map((column, at) => {
        const stored = row?.cells.get(column.name)
        const cell = ownValue(edits, column.name)
        const text = textOf(cell, stored)
        const kind = kindOf(text)
        const fault = cell && 'fault' in cell ? cell.fault : undefined
        return (
          <div
            key={column.name}
            id={`${gridId}-${place}-${at}`}
            role="gridcell"
            class={classNames(
              css.cell,
              column.kind === 'number' && css.numeric,
              cell && !added && css.edited,
              fault !== undefined && css.fault,
              at === cursor && css.cursor,
            )}
            data-tip={
              fault === undefined ? undefined : `${fault}. ${stored === undefined ? '' : datasetText.was(stored)}`
            }
            onClick={() => actions.point(place, at)}
            onDblClick={() => isThere && actions.edit(place, at)}
          >
            {isThere ? (
              <CellContent {...props} kind={kind} text={text} column={column} cell={cell} />
            ) : (
              <span class={css.bar} />
            )}
          </div>
        )
      })}
    </div>
  )
})

interface CellProps extends GridRowProps {
  readonly kind: CellKind
  readonly text: string | undefined
  readonly column: Column
  readonly cell: EditedCell | undefined
}

/** The picture of a cell in the height of its row; an icon for one that is elsewhere. */
function Thumbnail({ projectId, text }: { projectId: string; text: string }) {
  const image = imageOf(text)
  if (image === undefined) return <Icon of={Image} size={14} class={css.icon} />
  const url = 'url' in image ? image.url : fileUrl(projectId, image.digest)
  return <img class={css.thumbnail} src={url} alt="" loading="lazy" decoding="async" />
}

/** The value of a cell, in one line. */
function CellContent({ projectId, kind, text, column, cell }: CellProps) {
  if (cell && 'typed' in cell) return <span class="cut">{cell.typed}</span>
  if (text === undefined)
    return <span class={css.nothing}>{column.kind === 'call' ? datasetText.byHand : datasetText.empty}</span>
  const preview = previewOf(text, kind)
  switch (kind) {
    case 'text':
      return (
        <span class="cut" dir="auto" style={{ flex: 1 }}>
          {preview}
        </span>
      )
    case 'boolean':
      return (
        <>
          <Icon of={text === 'true' ? Check : X} size={14} class={css.icon} />
          {text}
        </>
      )
    case 'messages':
      return (
        <>
          <Icon of={MessageSquare} size={14} class={css.icon} />
          {preview}
        </>
      )
    case 'image':
      return (
        <>
          <Thumbnail projectId={projectId} text={text} />
          {preview}
        </>
      )
    case 'call':
      return (
        <a
          class={css.mono}
          href={callPath(projectId, callIdOf(text) ?? '')}
          tabIndex={-1}
          data-tip={datasetText.openCall}
        >
          {preview}
        </a>
      )
    case 'number':
      return <span class="cut">{preview}</span>
    default:
      return <span class={classNames('cut', css.mono)}>{preview}</span>
  }
}
