import { useMemo, useState } from 'preact/hooks'
import { itemAt } from '../../../lib/present.ts'
import {
  callColumn,
  contentKey,
  expectedColumn,
  keepMapping,
  keptMapping,
  type Mapped,
  proposeMapping,
  type RowMade,
  type RowSource,
  refOfCall,
  rowFrom,
  valuesOf,
} from '../../collect/call-rows.ts'
import type { Already, RowState } from '../../collect/rows-preview.tsx'
import { comparedRowsMax, useDatasetTarget } from '../../collect/use-dataset-target.ts'
import { objectOf } from '../../dataset/cells.ts'
import { createDataset, saveEdits } from '../../dataset/datasets.ts'
import { type EditedCells, noEdits, withCell, withRows } from '../../dataset/edits.ts'
import { navigate } from '../../state/location.ts'
import { datasetPath, queuePath, viewPath } from '../../state/paths.ts'
import { showError, showToast } from '../../state/toasts.ts'
import { collectText } from '../../text/collect.ts'
import { readObjectsAgain } from '../../versions/objects.ts'
import { collectUrl } from './collect-url.ts'

/** What stands in the list of datasets for a new one. */
export const newOne = ' new'

export interface CollectSource {
  readonly projectId: string
  readonly sources: readonly RowSource[]
}

/** State of the page: the dataset, what fills its columns, the rows, and what adds them. */
export function useCollecting({ projectId, sources }: CollectSource) {
  const { into: chosen, at: wanted, queue } = collectUrl.values.value
  const at = Math.min(Math.max(0, wanted), sources.length - 1)
  const source = itemAt(sources, at)
  const first = itemAt(sources, 0)
  const [name, setName] = useState('')
  const [changed, setMapping] = useState<readonly Mapped[]>()
  const [isReset, setReset] = useState(false)
  const [corrections, setCorrections] = useState<ReadonlyMap<string, string>>(new Map())
  const [already, setAlready] = useState<Already>('skip')
  const [busy, setBusy] = useState(false)
  const { families, family, base, target } = useDatasetTarget(projectId, chosen === '' ? undefined : chosen)
  const isNew = chosen === newOne || (families.data !== undefined && family === undefined)
  const columns = isNew ? undefined : target.data?.columns
  const paths = useMemo(
    () => [...new Set(sources.flatMap((each) => valuesOf(each).map(({ path }) => path)))],
    [sources],
  )
  const kept = useMemo(() => (isReset ? [] : keptMapping(projectId, first.op)), [isReset, first.op])
  const proposed = useMemo(() => {
    if (!isNew && columns === undefined) return undefined
    const names = columns?.map((column) => column.name)
    return proposeMapping(valuesOf(first), names, kept)
  }, [first, columns, isNew, kept])
  const mapping = changed ?? proposed ?? []
  const made = useMemo(
    () => sources.map((each) => rowFrom(each, mapping, corrections.get(each.id))),
    [sources, mapping, corrections],
  )
  /** The row that has the same content, or was made from the same call. */
  const storedRow = (row: RowMade) =>
    isNew
      ? undefined
      : (target.data?.contents.get(contentKey(row.cells)) ??
        target.data?.calls.get(refOfCall(projectId, row.source.id)))
  const rows = made.map((row): RowState => {
    const stored = storedRow(row)
    const state = row.cells.size === 0 ? 'none' : stored === undefined ? 'new' : 'there'
    return { row, state, place: stored?.index }
  })
  const added = rows.filter(({ state }) => state === 'new' || (state === 'there' && already === 'keep'))
  const replaced = already === 'replace' ? rows.filter(({ state }) => state === 'there') : []
  const isTaken = isNew && families.data?.some((each) => each.name === name.trim()) === true
  const isReady =
    proposed !== undefined && added.length + replaced.length > 0 && (!isNew || (name.trim() !== '' && !isTaken))
  const leave = () => {
    if (history.length > 1) history.back()
    else navigate(queue === '' ? viewPath(projectId, 'calls') : queuePath(projectId, queue))
  }
  const withCall = ({ row }: RowState) =>
    new Map([...row.cells, [callColumn, refOfCall(projectId, row.source.id)] as const])
  const store = async (dataset: string) => {
    const cells = added.map(withCall)
    if (isNew) await createDataset(projectId, dataset, cells.map(objectOf))
    else if (base && family) {
      let { edits } = withRows(noEdits, (base.rowCount ?? 0) - 1, cells.map(cellsOf))
      for (const each of replaced) {
        const stored = storedRow(each.row)
        if (stored === undefined) continue
        for (const [column, json] of withCall(each)) edits = withCell(edits, stored, column, { json })
      }
      await saveEdits({ projectId, name: dataset, base, edits, latest: family.latest.digest })
    }
  }
  const add = async () => {
    if (!isReady || busy) return
    setBusy(true)
    const dataset = isNew ? name.trim() : (family?.name ?? '')
    try {
      await store(dataset)
      // Other calls of the op have no answers of a queue.
      if (queue === '') keepMapping(projectId, first.op, mapping)
      const place = added.length > 0 ? (isNew ? 0 : (base?.rowCount ?? 0)) : (replaced[0]?.place ?? 0)
      showToast({
        kind: 'done',
        text: collectText.done(added.length, replaced.length, dataset),
        action: {
          label: collectText.openDataset,
          run: () => navigate(`${datasetPath(projectId, dataset)}?row=${place + 1}`),
        },
      })
      leave()
    } catch (error) {
      showError(error)
    } finally {
      await readObjectsAgain(projectId)
      setBusy(false)
    }
  }
  return {
    source,
    at,
    mapping,
    setMapping,
    paths,
    columns,
    isNew,
    name,
    setName,
    isTaken,
    already,
    setAlready,
    corrections,
    correct: (id: string, correction: string | undefined) => {
      const others = [...corrections].filter(([each]) => each !== id)
      setCorrections(new Map(correction === undefined ? others : [...others, [id, correction]]))
    },
    answer: mapping.find(({ column }) => column === expectedColumn),
    rows,
    added: added.length,
    replaced: replaced.length,
    isReady,
    busy,
    add,
    leave,
    isKnown: families.data !== undefined && proposed !== undefined,
    failed: [families, target].find(({ error }) => error),
    isKept: changed === undefined && kept.length > 0,
    startAgain: () => {
      setReset(true)
      setMapping(undefined)
    },
    into: isNew ? newOne : (family?.name ?? newOne),
    datasets: (families.data ?? []).map((each) => ({ id: each.name, label: each.name })),
    choose: (into: string) => {
      collectUrl.replace({ into })
      setMapping(undefined)
    },
    nextVersion: isNew ? undefined : family?.versions,
    isCut: (base?.rowCount ?? 0) > comparedRowsMax,
  }
}

const cellsOf = (cells: ReadonlyMap<string, string>): EditedCells =>
  Object.fromEntries([...cells].map(([column, json]) => [column, { json }]))
