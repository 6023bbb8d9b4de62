import { Plus, Rows3 } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import { ownValue } from '../../../lib/present.ts'
import { SelectionBar } from '../../bulk/dataset-rows-bar.tsx'
import { Button } from '../../components/controls/button.tsx'
import { SearchField } from '../../components/controls/search-field.tsx'
import { MenuButton } from '../../components/overlays/menu-button.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { lazyPart } from '../../components/states/lazy-part.tsx'
import { callIdOf } from '../../dataset/cells.ts'
import { useColumnLayout } from '../../dataset/column-layout.ts'
import { textOf } from '../../dataset/edits.ts'
import { DatasetGrid } from '../../dataset/grid.tsx'
import { rowName } from '../../dataset/grid-row.tsx'
import { NameDialog } from '../../dataset/name-dialog.tsx'
import { pastedCell, pasteOfCells } from '../../dataset/paste.ts'
import { useClipboard } from '../../dataset/use-clipboard.ts'
import type { GridRow } from '../../dataset/use-rows.ts'
import { useKeys } from '../../state/keys.ts'
import { navigate } from '../../state/location.ts'
import { callPath, viewPath } from '../../state/paths.ts'
import { showError, showToast } from '../../state/toasts.ts'
import { datasetText } from '../../text/dataset.ts'
import css from './dataset-page.module.css'
import { cellsIn, datasetUrl, rowMoves, type useDataset, type useSelection } from './use-dataset.ts'

const PasteDialog = lazyPart(() => import('../../dataset/paste-dialog.tsx'), { loading: () => null })

interface DatasetRowsProps {
  readonly projectId: string
  readonly name: string
  readonly version: number
  readonly page: ReturnType<typeof useDataset>
  readonly selection: ReturnType<typeof useSelection>
  /** Told which places are in view. */
  readonly onRange: (first: number, last: number) => void
}

/** The rows of a version in a grid, what narrows them, and everything that is done with them. */
export function DatasetRows({ projectId, name, version, page, selection, onRange }: DatasetRowsProps) {
  const { rows, edits, edit, isReadOnly, columns: allColumns, rowCount } = page
  const { cursor, checked } = selection
  const [layout, setLayout] = useColumnLayout(projectId, name)
  const [dialog, setDialog] = useState<'row' | 'column' | { readonly pasted: readonly (readonly string[])[] }>()
  const field = useRef<HTMLInputElement>(null)
  const columns = allColumns.filter((column) => !layout.hidden.includes(column.name))
  const moves = rowMoves(edits, edit.change)
  const { f: filter } = datasetUrl.values.value
  const current = rows.at(Math.min(cursor.place, Math.max(0, rows.count - 1)))
  const chosen = (): readonly GridRow[] =>
    checked.size > 0 ? [...checked.values()] : current.id === undefined ? [] : [current]
  // Behind the cursor; at the end where rows are in another order.
  const after = rows.search !== undefined || page.sort !== undefined ? rowCount - 1 : (current.id ?? rowCount - 1)
  const showNew = (ids: readonly number[]) => {
    const [first] = ids
    if (first !== undefined) pending.current = first
  }
  // A new row has a place once the edits are those of the next render.
  const pending = useRef<number | undefined>(undefined)
  useEffect(() => {
    const place = pending.current === undefined ? undefined : rows.placeOf(pending.current)
    if (place === undefined) return
    pending.current = undefined
    selection.show(place, 0)
  })
  const addRow = () => {
    if (allColumns.length === 0) setDialog('column')
    else showNew(moves.add(after, [{}]))
  }
  const duplicate = () => {
    showNew(moves.duplicate(chosen()))
    selection.clear()
  }
  const remove = () => {
    moves.remove(chosen())
    selection.clear()
  }
  const copyText = () => {
    if (checked.size === 0) {
      const column = columns[cursor.column]
      return column && pasteOfCells([[textOf(ownValue(cellsIn(current, edits), column.name), undefined)]])
    }
    const body = [...checked.values()].map((row) => {
      const cells = cellsIn(row, edits)
      return columns.map((column) => textOf(ownValue(cells, column.name), undefined))
    })
    return pasteOfCells([columns.map((column) => JSON.stringify(column.name)), ...body])
  }
  const copyRows = () => {
    const told = () => showToast({ kind: 'done', text: datasetText.copied(checked.size) })
    navigator.clipboard.writeText(copyText() ?? '').then(told, showError)
  }
  const paste = (pasted: readonly (readonly string[])[]) => {
    const column = columns[cursor.column]
    const [[only] = []] = pasted
    if (pasted.length === 1 && pasted[0]?.length === 1 && only !== undefined && column && current.id !== undefined)
      moves.setCell(current, column.name, pastedCell(only, column.kind))
    else setDialog({ pasted })
  }
  useClipboard(isReadOnly ? undefined : paste, copyText)
  const openCall = () => {
    for (const cell of Object.values(cellsIn(current, edits))) {
      const id = callIdOf(textOf(cell, undefined))
      if (id !== undefined) return navigate(callPath(projectId, id))
    }
  }
  useKeys([
    { keys: 'f', does: datasetText.keys.find, run: () => field.current?.focus() },
    { keys: 'Shift+G', does: datasetText.keys.goTo, run: () => rows.count > 0 && setDialog('row') },
    { keys: 'x', does: datasetText.keys.select, run: () => selection.toggle(cursor.place, false) },
    { keys: 'o', does: datasetText.keys.openCall, run: openCall },
    ...(checked.size > 0 ? [{ keys: 'Escape', does: datasetText.keys.clear, run: selection.clear }] : []),
    ...(isReadOnly
      ? []
      : [
          { keys: 'a', does: datasetText.keys.addRow, run: addRow },
          { keys: 'd', does: datasetText.keys.duplicate, run: duplicate },
          { keys: 'Backspace', does: datasetText.keys.delete, run: remove },
          { keys: 'Delete', does: datasetText.keys.delete, run: remove },
          { keys: '$mod+z', does: datasetText.keys.undo, run: edit.undo },
          { keys: '$mod+Shift+z', does: datasetText.keys.redo, run: edit.redo },
        ]),
  ])
  const { search } = rows
  const isNone = rows.count === 0
  return (
    <>
      <div class={css.tools}>
        <SearchField
          label={datasetText.findRows}
          value={filter}
          onType={(next) => datasetUrl.replace({ f: next, row: 0 })}
          hint="F"
          inputRef={field}
          class={css.find}
        />
        {search && (
          <span class={css.found} role="status" aria-busy={!search.isDone}>
            {!search.isDone
              ? datasetText.searching(search.scanned, rowCount)
              : search.isCut
                ? datasetText.matchesCut(search.rows.length)
                : datasetText.matches(search.rows.length, rowCount)}
          </span>
        )}
        <MenuButton
          label={datasetText.columns}
          side="end"
          items={[
            ...allColumns.map((column) => ({
              label: column.name,
              checked: !layout.hidden.includes(column.name),
              run: () =>
                setLayout({
                  ...layout,
                  hidden: layout.hidden.includes(column.name)
                    ? layout.hidden.filter((each) => each !== column.name)
                    : [...layout.hidden, column.name],
                }),
            })),
            ...(isReadOnly
              ? []
              : [{ label: datasetText.newColumn, icon: Plus, separator: true, run: () => setDialog('column') }]),
          ]}
        >
          {datasetText.columns}
        </MenuButton>
        {!isReadOnly && (
          <Button icon={Plus} hint="A" onClick={addRow}>
            {datasetText.addRow}
          </Button>
        )}
      </div>
      <div class={css.grid}>
        {rows.failure ? (
          <ErrorState error={rows.failure} retry={rows.retry} />
        ) : isNone && search?.isDone ? (
          <EmptyState
            icon={Rows3}
            title={datasetText.noMatch}
            action={<Button onClick={() => datasetUrl.commit({ f: '' })}>{datasetText.clearFilter}</Button>}
          >
            {datasetText.noMatchReason(filter, rowCount)}
          </EmptyState>
        ) : isNone && search === undefined ? (
          <EmptyState
            icon={Rows3}
            title={datasetText.noRows(version)}
            action={
              <>
                {!isReadOnly && (
                  <Button kind="primary" icon={Plus} hint="A" onClick={addRow}>
                    {datasetText.addRow}
                  </Button>
                )}
                <a href={viewPath(projectId, 'calls')}>{datasetText.fromCalls}</a>
              </>
            }
          >
            {datasetText.noRowsReason}
          </EmptyState>
        ) : (
          <DatasetGrid
            projectId={projectId}
            name={name}
            rows={rows}
            rowCount={rowCount}
            columns={columns}
            edits={edits}
            layout={layout}
            onLayout={setLayout}
            sort={page.sort}
            onSort={page.sortBy}
            cursor={cursor}
            onCursor={selection.point}
            checked={checked}
            onToggle={selection.toggle}
            isReadOnly={isReadOnly}
            onEdit={moves.setCell}
            jump={selection.jump}
            onRange={onRange}
          />
        )}
        {checked.size > 0 && (
          <SelectionBar
            count={checked.size}
            isReadOnly={isReadOnly}
            onDuplicate={duplicate}
            onCopy={copyRows}
            onDelete={remove}
            onClear={selection.clear}
          />
        )}
      </div>
      {dialog === 'row' && (
        <NameDialog
          title={datasetText.goTo}
          label={datasetText.goToLabel(rows.count)}
          verb={datasetText.go}
          faultOf={(typed) => {
            const at = Number(typed.replaceAll(',', ''))
            return Number.isInteger(at) && at >= 1 && at <= rows.count ? undefined : datasetText.goToLabel(rows.count)
          }}
          onDone={(typed) => {
            const at = Number(typed.replaceAll(',', ''))
            selection.show(rows.placeOf(at - 1) ?? at - 1)
            setDialog(undefined)
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === 'column' && (
        <NameDialog
          title={datasetText.newColumnTitle}
          label={datasetText.name}
          verb={datasetText.addColumn}
          faultOf={(typed) =>
            allColumns.some((column) => column.name === typed) ? datasetText.columnTaken(typed) : undefined
          }
          onDone={(typed) => {
            const withColumn = { ...edits, columns: [...edits.columns, typed] }
            // A dataset without rows gets its first one, to have a cell to write into.
            if (rowCount === 0 && edits.added.length === 0) rowMoves(withColumn, edit.change).add(-1, [{}])
            else edit.change(withColumn)
            setDialog(undefined)
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
      {typeof dialog === 'object' && (
        <PasteDialog
          cells={dialog.pasted}
          columns={columns}
          from={cursor.column}
          after={rowName(current)}
          onPaste={(plan) => {
            const withColumns = { ...edits, columns: [...edits.columns, ...plan.newColumns] }
            showNew(rowMoves(withColumns, edit.change).add(after, plan.rows))
            setDialog(undefined)
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
    </>
  )
}
