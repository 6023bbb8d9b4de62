import { useEffect, useRef, useState } from 'preact/hooks'
import type { Correction, ImportOptions, Inspection, ReadOptions } from '../../domains/datasets/index.ts'
import { Problem } from '../api/client.ts'
import { navigate } from '../state/location.ts'
import { datasetPath } from '../state/paths.ts'
import { showToast } from '../state/toasts.ts'
import { importText } from '../text/dataset-import.ts'
import { readObjectsAgain } from '../versions/objects.ts'
import type { Choice, EmptyCell } from './choices.ts'
import { importFile, inspectFile, type Refusal } from './import-file.ts'

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
  /** Lines with faults to leave out. */
  readonly leaveOut: number
}

const rawBytes = 4_096

/** State of an import: the file, how it is read, its faults, and what stores it. */
export function useImport(projectId: string, into: string) {
  const [kept, setKept] = useState(() => keptImport(projectId, into))
  const [corrections, setCorrections] = useState<readonly Correction[]>([])
  // Whether there are corrections that the file has not been read with.
  const [isUnread, setUnread] = useState(false)
  const [chosen, setChosen] = useState<Chosen>()
  const [empty, setEmpty] = useState<EmptyCell>('null')
  const [busy, setBusy] = useState<'reading' | 'importing'>()
  const [sent, setSent] = useState(0)
  const [refusal, setRefusal] = useState<Refusal>()
  const [problem, setProblem] = useState<string>()
  const abort = useRef(new AbortController())
  const isDone = useRef(false)
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
  const read = async (file: File, options: ReadOptions, known?: typeof kept) => {
    const signal = begin('reading')
    try {
      const inspection = await inspectFile(projectId, file, options, signal)
      const { encoding, format, columns } = inspection
      const raw =
        format === 'parquet'
          ? undefined
          : new TextDecoder(encoding ?? 'utf-8').decode(await file.slice(0, rawBytes).arrayBuffer())
      const names = columns.map(({ name }) => name)
      const isSame = known !== undefined && known.columns.join('\n') === names.join('\n')
      const choices = isSame ? known.choices : columns.map(({ type }) => ({ type, isSkipped: false }))
      if (isSame) {
        setEmpty(known.empty)
        setCorrections(known.corrections)
        setUnread(known.corrections.length > 0)
      }
      setChosen({ file, options, inspection, choices, raw })
    } catch (error) {
      fail(error, signal)
    }
    if (!signal.aborted) setBusy(undefined)
  }
  const start = async ({ name, mode, skipsEqual, latest, leaveOut }: Destination) => {
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
      corrections: [...corrections],
      leave_out_lines: leaveOut,
      expected_latest_digest: latest,
    }
    try {
      const answer = await importFile(projectId, file, options, { signal, onSent: setSent })
      setUnread(false)
      if ('faults' in answer) setRefusal(answer)
      else {
        isDone.current = true
        keepImport(projectId, into, undefined)
        await readObjectsAgain(projectId)
        showToast({ kind: 'done', text: importText.done(answer, name) })
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
    kept: chosen === undefined ? kept : undefined,
    forget: () => {
      keepImport(projectId, into, undefined)
      setKept(undefined)
    },
    /** Keeps what is chosen for the time after a reload. */
    keep: (place: ChosenPlace) => {
      if (chosen === undefined || isDone.current) return
      const { file, options, inspection, choices } = chosen
      const columns = inspection.columns.map(({ name }) => name)
      keepImport(projectId, into, {
        fileName: file.name,
        bytes: file.size,
        options,
        columns,
        choices,
        empty,
        corrections,
        place,
      })
    },
    corrections,
    isUnread,
    correct: (line: number, column: string, value: string | undefined) => {
      const others = corrections.filter((each) => each.line !== line || each.column !== column)
      setCorrections(value === undefined ? others : [...others, { line, column, value }])
      setUnread(true)
    },
    faults: refusal ?? (chosen?.inspection.fault_count ? chosen.inspection : undefined),
    choose: (file: File) => {
      setChosen(undefined)
      setCorrections([])
      setUnread(false)
      const isKept = kept?.fileName === file.name && kept.bytes === file.size
      void read(file, isKept ? kept.options : {}, isKept ? kept : undefined)
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

/** Where the rows of a file go, as it was chosen. */
interface ChosenPlace {
  readonly where: 'append' | 'replace' | 'new'
  readonly name: string | undefined
  readonly skipsEqual: boolean
}

/** What was chosen for a file. The file itself cannot be kept over a reload. */
interface KeptImport {
  readonly fileName: string
  readonly bytes: number
  readonly options: ReadOptions
  /** Names of the columns that the choices are for. */
  readonly columns: readonly string[]
  readonly choices: readonly Choice[]
  readonly empty: EmptyCell
  readonly corrections: readonly Correction[]
  readonly place: ChosenPlace
}

const keyOf = (projectId: string, into: string): string => `tracelake.import ${projectId} ${into}`

/** What was chosen in this tab before the page was left. */
function keptImport(projectId: string, into: string): KeptImport | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(projectId, into)) ?? 'null')
    return isKept(kept) ? kept : undefined
  } catch {
    return undefined
  }
}

/** @param kept undefined to forget it */
function keepImport(projectId: string, into: string, kept: KeptImport | undefined): void {
  try {
    if (kept === undefined) sessionStorage.removeItem(keyOf(projectId, into))
    else sessionStorage.setItem(keyOf(projectId, into), JSON.stringify(kept))
  } catch {
    // No storage, or no room in it: the choices then last as long as the page.
  }
}

const isKept = (value: unknown): value is KeptImport =>
  typeof value === 'object' && value !== null && 'fileName' in value && 'choices' in value && 'place' in value
