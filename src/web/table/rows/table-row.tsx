import { Checkbox } from '../../components/controls/checkbox.tsx'
import { classNames } from '../../components/display/class-names.ts'
import { memo } from '../../components/display/memo.ts'
import { wholeOpName } from '../../format/op-names.ts'
import { tableText } from '../../text/table.ts'
import type { CallRow } from '../call-row.ts'
import type { GridTemplate } from '../columns/grid-template.ts'
import type { KnownColumn } from '../columns/known-columns.ts'
import { directionOfPreview } from '../preview-parts.ts'
import { type CellFacts, cellContent } from './cells.tsx'
import css from './data-table.module.css'

/** Event handlers of a row. */
export interface RowActions {
  readonly open: (row: CallRow) => void
  readonly hrefOf: (row: CallRow) => string
  readonly setCursor: (index: number) => void
  readonly toggle: (row: CallRow, isRange: boolean) => void
  /** Asks for the menu of a cell. */
  readonly cellMenu: (row: CallRow, column: KnownColumn, anchor: HTMLElement) => void
}

/** A row of a table of calls. It renders again only when something in it changes. */
export const TableRow = memo((props: TableRowProps) => {
  const { row, index, columns, template, isChecked, isCursor, actions } = props
  const facts = { usage: props.usage, values: props.values, scale: props.scale, scores: props.scores }
  return (
    <div
      id={props.id}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isChecked}
      class={classNames(css.row, isCursor && css.cursor, isChecked && css.checked)}
      style={{
        gridTemplateColumns: template.columns,
        minWidth: `${template.minWidth}px`,
        height: `${props.height}px`,
      }}
      onClick={(event) => clicked(event, row, index, actions)}
    >
      <div role="gridcell" class={css.check} data-keep>
        <Checkbox
          checked={isChecked}
          label={tableText.select(nameOf(row))}
          tabIndex={-1}
          onChange={(_, event) => actions.toggle(row, event.shiftKey)}
        />
      </div>
      {columns.map((column) => bodyCell(row, column, facts, template.pinnedAt.get(column.id), actions))}
    </div>
  )
})

interface TableRowProps extends CellFacts {
  readonly id: string
  readonly row: CallRow
  readonly index: number
  readonly columns: readonly KnownColumn[]
  readonly template: GridTemplate
  /** In pixels. */
  readonly height: number
  readonly isChecked: boolean
  readonly isCursor: boolean
  /** The same object at every render. */
  readonly actions: RowActions
}

function clicked(event: MouseEvent, row: CallRow, index: number, actions: RowActions): void {
  if (event.target instanceof Element && event.target.closest('[data-keep], a, button')) return
  actions.setCursor(index)
  if (event.shiftKey) actions.toggle(row, true)
  else if (event.metaKey || event.ctrlKey) open(actions.hrefOf(row), '_blank', 'noopener')
  // A click that ends the selection of text is there to copy it.
  else if (!getSelection()?.toString()) actions.open(row)
}

/** Columns whose cells are a value to filter by. */
const choices = new Set(['op', 'thread', 'user', 'name', 'value'])

/** The text of a cell of input or output. */
const textOf = (column: KnownColumn, row: CallRow): string =>
  column.kind === 'input' ? row.input : (row.error ?? row.output)

/** The text of a cell whose value one may filter by. */
function choiceText(column: KnownColumn, row: CallRow, facts: CellFacts): string {
  switch (column.kind) {
    case 'op':
    case 'name':
      return row.name
    case 'thread':
      return row.threadId ?? ''
    case 'user':
      return row.userId ?? ''
    default:
      return facts.values?.[column.id] ?? ''
  }
}

const isBlank = (text: string): boolean => text.trim() === ''

/** Label of a row without a telling input. */
const nameOf = (row: CallRow): string => (isBlank(row.name) ? row.id : wholeOpName(row.name))

/** Not a component: a table has hundreds of cells, and each component takes longer. */
function bodyCell(
  row: CallRow,
  column: KnownColumn,
  facts: CellFacts,
  pinnedAt: number | undefined,
  actions: RowActions,
) {
  const content = cellContent(column, row, facts)
  const isText = column.kind === 'input' || column.kind === 'output'
  const pinned = pinnedAt === undefined ? undefined : { left: `${pinnedAt}px` }
  const className = classNames(css.cell, css[column.kind], column.isNumeric && css.numeric, pinned && css.pinned)
  const hasMenu = choices.has(column.kind) && (column.kind !== 'value' || facts.values?.[column.id] !== undefined)
  const direction = isText ? directionOfPreview(textOf(column, row)) : undefined
  return (
    <div
      key={column.id}
      role="gridcell"
      class={className}
      style={pinned}
      onContextMenu={(event) => {
        event.preventDefault()
        actions.cellMenu(row, column, event.currentTarget)
      }}
    >
      {column.kind === 'input' ? (
        <a href={actions.hrefOf(row)} tabIndex={-1} class={classNames('cut', css.link)} dir={direction}>
          {isBlank(row.input) ? <span class={css.nothing}>{nameOf(row)}</span> : content}
        </a>
      ) : hasMenu ? (
        <button
          type="button"
          tabIndex={-1}
          class={css.choice}
          aria-haspopup="menu"
          onClick={(event) => actions.cellMenu(row, column, event.currentTarget)}
        >
          {isBlank(choiceText(column, row, facts)) ? (
            <span class={css.nothing}>
              <span aria-hidden>–</span>
              <span class="sr-only">
                {tableText.noValue(column.kind === 'value' ? column.label : column.label.toLowerCase())}
              </span>
            </span>
          ) : (
            content
          )}
        </button>
      ) : isText ? (
        <span class="cut" dir={direction}>
          {content}
        </span>
      ) : (
        content
      )}
    </div>
  )
}
