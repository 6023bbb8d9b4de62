import { useEffect, useRef, useState } from 'preact/hooks'
import type { ColumnType, ImportOptions, Inspection, ReadOptions } from '../../domains/datasets/index.ts'
import { Problem } from '../api/client.ts'
import { navigate } from '../state/location.ts'
import { datasetPath } from '../state/paths.ts'
import { showToast } from '../state/toasts.ts'
import { importText } from '../text/dataset-import.ts'
import { readObjectsAgain } from '../versions/objects.ts'
import { importFile, inspectFile, type Refusal } from './import-file.ts'

/** What is chosen for a column. */
export interface Choice {
  readonly type: ColumnType
  readonly isSkipped: boolean
}

/** What a cell without a value becomes. */
export type EmptyCell = 'null' | 'absent' | 'text'

/** A file and how it is read. */
interface Chosen {
  readonly file: File
  readonly options: ReadOptions
  readonly inspection: Inspection
  readonly choices: readonly Choice[]
  /** Its first lines as they are. */
  readonly raw: string | undefined
}

/** Where the rows go. */
interface Destination {
  readonly name: string
  readonly mode: 'replace' | 'append'
  readonly skipsEqual: boolean
  /** Digest of the latest version; empty for a new dataset. */
  readonly latest: string
}

const rawBytes = 4_096

/** State of an import: the file, how it is read, its faults, and what stores it. */
export function useImport(projectId: string) {
  const [chosen, setChosen] = useState<Chosen>()
  const [empty, setEmpty] = useState<EmptyCell>('null')
  const [busy, setBusy] = useState<'reading' | 'importing'>()
  const [sent, setSent] = useState(0)
  const [refusal, setRefusal] = useState<Refusal>()
  const [problem, setProblem] = useState<string>()
  const abort = useRef(new AbortController())
  useEffect(() => () => abort.current.abort(), [])

  const begin = (what: 'reading' | 'importing') => {
    abort.current.abort()
    abort.current = new AbortController()
    setBusy(what)
    setSent(0)
    setRefusal(undefined)
    setProblem(undefined)
    return abort.current.signal
  }
  const fail = (error: unknown, signal: AbortSignal) => {
    if (signal.aborted) return
    const isLate = error instanceof Problem && error.type === 'VersionConflict'
    setProblem(isLate ? importText.conflict : error instanceof Error ? error.message : String(error))
  }
  const read = async (file: File, options: ReadOptions) => {
    const signal = begin('reading')
    try {
      const inspection = await inspectFile(projectId, file, options, signal)
      const { encoding, format, columns } = inspection
      const raw =
        format === 'parquet'
          ? undefined
          : new TextDecoder(encoding ?? 'utf-8').decode(await file.slice(0, rawBytes).arrayBuffer())
      setChosen({ file, options, inspection, choices: columns.map(({ type }) => ({ type, isSkipped: false })), raw })
    } catch (error) {
      fail(error, signal)
    }
    if (!signal.aborted) setBusy(undefined)
  }
  const start = async ({ name, mode, skipsEqual, latest }: Destination) => {
    if (chosen === undefined) return
    const signal = begin('importing')
    const { file, options: reading, inspection, choices } = chosen
    const options: ImportOptions = {
      ...reading,
      name,
      columns: inspection.columns.map(({ source }, at) => {
        const choice = choices[at]
        if (choice === undefined || choice.isSkipped) return { source, skip: true }
        return { source, type: choice.type, ...(inspection.format === 'csv' && { empty }) }
      }),
      mode,
      equal_rows: skipsEqual ? 'skip' : 'keep',
      expected_latest_digest: latest,
    }
    try {
      const answer = await importFile(projectId, file, options, { signal, onSent: setSent })
      if ('faults' in answer) setRefusal(answer)
      else {
        await readObjectsAgain(projectId)
        showToast({ kind: 'done', text: importText.done(answer.added, name, answer.version_index, answer.skipped) })
        navigate(datasetPath(projectId, name), { replace: true })
        return
      }
    } catch (error) {
      fail(error, signal)
    }
    if (!signal.aborted) setBusy(undefined)
  }
  return {
    chosen,
    empty,
    setEmpty,
    busy,
    sent,
    problem,
    faults: refusal ?? (chosen?.inspection.fault_count ? chosen.inspection : undefined),
    choose: (file: File) => {
      setChosen(undefined)
      void read(file, {})
    },
    readAs: (options: ReadOptions) => chosen && void read(chosen.file, options),
    change: (at: number, changes: Partial<Choice>) => {
      setRefusal(undefined)
      if (chosen === undefined) return
      const choices = chosen.choices.map((choice, index) => (index === at ? { ...choice, ...changes } : choice))
      setChosen({ ...chosen, choices })
    },
    start,
    cancel: () => {
      abort.current.abort()
      setBusy(undefined)
      setProblem(importText.cancelled)
    },
  }
}
