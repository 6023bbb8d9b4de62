import { ChevronDown, ChevronUp, X } from 'lucide'
import { useMemo, useState } from 'preact/hooks'
import { Button, IconButton } from '../components/controls/button.tsx'
import { Field } from '../components/controls/field.tsx'
import { Segments } from '../components/controls/segments.tsx'
import { Select } from '../components/controls/select.tsx'
import { Badge } from '../components/display/badge.tsx'
import { Dialog } from '../components/overlays/dialog.tsx'
import { ErrorState } from '../components/states/error-state.tsx'
import { LoadingRows } from '../components/states/loading-rows.tsx'
import { kindOf, previewOf, typedOf } from '../dataset/cells.ts'
import { createDataset, saveEdits } from '../dataset/datasets.ts'
import { type EditedCells, noEdits, withCell, withRows } from '../dataset/edits.ts'
import { navigate } from '../state/location.ts'
import { datasetPath } from '../state/paths.ts'
import { queries } from '../state/query-signal.ts'
import { showError, showToast } from '../state/toasts.ts'
import { bulkText } from '../text/bulk.ts'
import { datasetText } from '../text/dataset.ts'
import { partsText } from '../text/parts.ts'
import {
  type CallRowMade,
  callColumn,
  contentKey,
  expectedColumn,
  keepMapping,
  keptMapping,
  type Mapped,
  proposeMapping,
  refOfCall,
  rowFromCall,
  valuesOf,
} from './call-rows.ts'
import css from './dataset-dialog.module.css'
import { DatasetMapping } from './dataset-mapping.tsx'
import { comparedRowsMax, useDatasetTarget } from './use-dataset-target.ts'

const newOne = ''
const rowsShown = 100

interface DatasetDialogProps {
  readonly projectId: string
  readonly ids: readonly string[]
  readonly onClose: () => void
}

/** Makes rows of a dataset from calls: what fills each column, corrected answers, and a preview. */
export default function DatasetDialog({ projectId, ids, onClose }: DatasetDialogProps) {
  const [chosen, setChosen] = useState<string>()
  const [name, setName] = useState('')
  const [changed, setChanged] = useState<readonly Mapped[]>()
  const [corrections, setCorrections] = useState<ReadonlyMap<string, string>>(new Map())
  const [at, setAt] = useState(0)
  const [already, setAlready] = useState<'skip' | 'replace' | 'keep'>('skip')
  const [busy, setBusy] = useState(false)
  const { calls, families, family, base, target } = useDatasetTarget(projectId, ids, chosen)
  const isNew = chosen === newOne || (families.data !== undefined && family === undefined)
  const call = calls.data?.[at]
  const values = useMemo(() => (call === undefined ? [] : valuesOf(call)), [call])
  const paths = useMemo(
    () => [...new Set(calls.data?.flatMap((each) => valuesOf(each).map(({ path }) => path)))],
    [calls.data],
  )
  const [first] = calls.data ?? []
  const columns = isNew ? undefined : target.data?.columns
  const proposed = useMemo(
    () =>
      first === undefined || (!isNew && columns === undefined)
        ? undefined
        : proposeMapping(
            valuesOf(first),
            columns?.map((column) => column.name),
            keptMapping(projectId, first.op),
          ),
    [first, columns, isNew],
  )
  const mapping = changed ?? proposed ?? []
  const made = useMemo(
    () => calls.data?.map((each) => rowFromCall(each, mapping, corrections.get(each.id))) ?? [],
    [calls.data, mapping, corrections],
  )
  /** The row that has the same content, or was made from the same call. */
  const storedRow = (row: CallRowMade) =>
    isNew
      ? undefined
      : (target.data?.contents.get(contentKey(row.cells)) ?? target.data?.calls.get(refOfCall(projectId, row.call.id)))
  const stateOf = (row: CallRowMade): 'new' | 'there' | 'none' =>
    row.cells.size === 0 ? 'none' : storedRow(row) === undefined ? 'new' : 'there'
  const added = made.filter((row) => stateOf(row) === 'new' || (stateOf(row) === 'there' && already === 'keep'))
  const replaced = already === 'replace' ? made.filter((row) => stateOf(row) === 'there') : []
  const count = (state: string) => made.filter((row) => stateOf(row) === state).length
  const isTaken = isNew && families.data?.some((each) => each.name === name.trim())
  const isReady =
    proposed !== undefined && added.length + replaced.length > 0 && (!isNew || (name.trim() !== '' && !isTaken))
  const answer = mapping.find(({ column }) => column === expectedColumn)
  const answered = values.find(({ path }) => path === answer?.path)?.text

  const add = async () => {
    if (!isReady || busy) return
    setBusy(true)
    const withCall = (row: CallRowMade) => new Map([...row.cells, [callColumn, refOfCall(projectId, row.call.id)]])
    const rows = added.map(withCall)
    const dataset = isNew ? name.trim() : (family?.name ?? '')
    try {
      if (isNew) await createDataset(projectId, dataset, rows.map(objectText))
      else if (base && family) {
        const last = (base.rowCount ?? 0) - 1
        let { edits } = withRows(noEdits, last, rows.map(cellsOf))
        for (const row of replaced) {
          const stored = storedRow(row)
          if (stored === undefined) continue
          for (const [column, json] of withCall(row)) edits = withCell(edits, stored, column, { json })
        }
        await saveEdits({ projectId, name: dataset, base, edits, latest: family.latest.digest })
      }
      if (first) keepMapping(projectId, first.op, mapping)
      const [firstReplaced] = replaced
      const place = firstReplaced === undefined ? undefined : storedRow(firstReplaced)?.index
      const row = isNew ? 1 : added.length > 0 ? (base?.rowCount ?? 0) + 1 : (place ?? 0) + 1
      showToast({
        kind: 'done',
        text: bulkText.collected(added.length, replaced.length, dataset),
        action: { label: bulkText.openDataset, run: () => navigate(`${datasetPath(projectId, dataset)}?row=${row}`) },
      })
      onClose()
    } catch (error) {
      showError(error)
    } finally {
      await queries.invalidateQueries({ queryKey: ['objects', projectId] })
      setBusy(false)
    }
  }
  const failed = [calls, families, target].find(({ error }) => error)
  return (
    <Dialog
      open
      onClose={onClose}
      title={bulkText.dataset.title(ids.length)}
      class={css.dialog}
      foot={
        <>
          <Button hint="esc" onClick={onClose}>
            {partsText.cancel}
          </Button>
          <Button kind="primary" busy={busy} disabled={!isReady} onClick={() => void add()}>
            {bulkText.addRows(added.length, replaced.length, isNew ? undefined : family?.versions)}
          </Button>
        </>
      }
    >
      {failed ? (
        <ErrorState error={failed.error} retry={() => void failed.refetch()} />
      ) : proposed === undefined || call === undefined ? (
        <LoadingRows columns="1fr 1fr 2fr" rows={6} height={36} />
      ) : (
        <>
          <div class={css.top}>
            <Select
              label={bulkText.into}
              value={isNew ? newOne : (family?.name ?? newOne)}
              options={[
                ...(families.data ?? []).map((each) => ({ id: each.name, label: each.name })),
                { id: newOne, label: bulkText.dataset.newOne },
              ]}
              onChange={(next) => {
                setChosen(next)
                setChanged(undefined)
              }}
            />
            {isNew && (
              <Field
                label={bulkText.name}
                value={name}
                error={isTaken ? datasetText.nameTaken(name.trim()) : undefined}
                required
                autocomplete="off"
                onInput={(event) => setName(event.currentTarget.value)}
              />
            )}
            {made.length > 1 && (
              <span class={css.step}>
                {bulkText.callOf(at + 1, made.length)}
                <IconButton
                  of={ChevronUp}
                  label={bulkText.previousCall}
                  disabled={at === 0}
                  onClick={() => setAt(at - 1)}
                />
                <IconButton
                  of={ChevronDown}
                  label={bulkText.nextCall}
                  disabled={at === made.length - 1}
                  onClick={() => setAt(at + 1)}
                />
              </span>
            )}
          </div>
          <DatasetMapping mapping={mapping} columns={columns} paths={paths} values={values} onChange={setChanged} />
          {answer !== undefined && (
            <div class={css.correct}>
              <div class={css.over}>
                <span aria-hidden>{bulkText.correct(expectedColumn)}</span>
                {corrections.has(call.id) && (
                  <Button
                    size="compact"
                    kind="quiet"
                    icon={X}
                    onClick={() => setCorrections(new Map([...corrections].filter(([id]) => id !== call.id)))}
                  >
                    {bulkText.asItWas}
                  </Button>
                )}
              </div>
              <textarea
                aria-label={bulkText.correct(expectedColumn)}
                dir="auto"
                rows={2}
                value={corrections.get(call.id) ?? typedOf(answered)}
                onInput={(event) => setCorrections(new Map([...corrections, [call.id, event.currentTarget.value]]))}
              />
            </div>
          )}
          <h3 class={css.head}>
            {bulkText.rowsTitle}
            <small>{bulkText.rowStates(count('new'), count('there'), count('none'))}</small>
          </h3>
          <div class={css.rows} tabIndex={0} role="region" aria-label={bulkText.rowsTitle}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{bulkText.stateHead}</th>
                  {mapping.map(({ column }, index) => (
                    <th key={index} scope="col">
                      {column}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {made.slice(0, rowsShown).map((row, index) => {
                  const state = stateOf(row)
                  const there = storedRow(row)
                  return (
                    <tr key={row.call.id} aria-current={index === at || undefined}>
                      <td>
                        <Badge tone={state === 'new' ? 'ok' : state === 'none' ? 'error' : 'neutral'}>
                          {state === 'there' ? bulkText.thereAt((there?.index ?? 0) + 1) : bulkText.states[state]}
                        </Badge>
                      </td>
                      {mapping.map(({ column }, each) => (
                        <td key={each} dir="auto">
                          <Preview text={row.cells.get(column)} />
                        </td>
                      ))}
                    </tr>
                  )
                })}
              </tbody>
            </table>
          </div>
          {count('there') > 0 && (
            <p class={css.note}>
              {bulkText.already}{' '}
              <Segments
                label={bulkText.already}
                options={[
                  { id: 'skip', label: bulkText.skip },
                  { id: 'replace', label: bulkText.replace },
                  { id: 'keep', label: bulkText.addAgain },
                ]}
                current={already}
                onSelect={setAlready}
              />
            </p>
          )}
          <p class={css.note}>
            {bulkText.keepsCall}
            {(base?.rowCount ?? 0) > comparedRowsMax && ` ${bulkText.comparedOnly(comparedRowsMax)}`}
          </p>
        </>
      )}
    </Dialog>
  )
}

const objectText = (cells: ReadonlyMap<string, string>): string =>
  `{${[...cells].map(([column, text]) => `${JSON.stringify(column)}:${text}`).join(',')}}`

const cellsOf = (cells: ReadonlyMap<string, string>): EditedCells =>
  Object.fromEntries([...cells].map(([column, json]) => [column, { json }]))

const Preview = ({ text }: { text: string | undefined }) => (text === undefined ? '–' : previewOf(text, kindOf(text)))
