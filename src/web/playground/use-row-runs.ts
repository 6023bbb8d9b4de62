import { useEffect, useRef, useState } from 'preact/hooks'
import { type Row, typedOf } from '../dataset/cells.ts'
import { streamRows } from '../dataset/table-rows.ts'
import { showError } from '../state/toasts.ts'
import { type Run, runColumn } from './run.ts'
import type { PlayColumn } from './workspace.ts'

/** A row of a dataset with the runs of each column. */
interface RowLine {
  /** 0-based row of the dataset. */
  readonly row: number
  readonly values: Readonly<Record<string, string>>
  readonly runs: readonly (Run | undefined)[]
}

/** Runs over some rows of a dataset. */
export interface RowRuns {
  readonly dataset: string
  readonly lines: readonly RowLine[]
}

/** Rows that are tried at a time. */
export const triedRows = 20
/** Requests that are under way at a time. */
const parallel = 4

/** Values of variables that a row gives: each cell by the name of its column. */
export const valuesOfRow = ({ cells }: Row): Readonly<Record<string, string>> =>
  Object.fromEntries([...cells].map(([name, text]) => [name, typedOf(text)]))

interface RowsToRun {
  readonly projectId: string
  readonly dataset: string
  /** Digest of the table with the rows. */
  readonly table: string
  /** 0-based first row. */
  readonly from: number
  readonly columns: readonly PlayColumn[]
  readonly onEnded: (callIds: readonly string[]) => void
}

/** Runs every column with the rows of a dataset, a few requests at a time. */
export function useRowRuns() {
  const [rows, setRows] = useState<RowRuns | undefined>(undefined)
  const [isRunning, setRunning] = useState(false)
  const abort = useRef<AbortController | undefined>(undefined)
  const current = useRef(rows)
  const put = (next: RowRuns) => {
    current.current = next
    setRows(next)
  }
  const putRun = (line: number, side: number, run: Run) => {
    const known = current.current
    const at = known?.lines[line]
    if (known === undefined || at === undefined) return
    put({ ...known, lines: known.lines.with(line, { ...at, runs: at.runs.with(side, run) }) })
  }
  const stop = () => abort.current?.abort()
  useEffect(() => stop, [])

  const work = async (tasks: readonly (readonly [line: number, side: number])[], what: RowsToRun) => {
    stop()
    const own = new AbortController()
    abort.current = own
    setRunning(true)
    const left = [...tasks]
    const worker = async () => {
      for (let task = left.shift(); task !== undefined && !own.signal.aborted; task = left.shift()) {
        const [line, side] = task
        const column = what.columns[side]
        const values = current.current?.lines[line]?.values
        if (column === undefined || values === undefined) continue
        const request = { projectId: what.projectId, column, values, further: [], at: 0 }
        const run = await runColumn(request, { signal: own.signal, onChange: (next) => putRun(line, side, next) })
        if (run.callId !== undefined) what.onEnded([run.callId])
      }
    }
    await Promise.all(Array.from({ length: parallel }, worker))
    if (abort.current === own) setRunning(false)
  }

  const start = async (what: RowsToRun): Promise<void> => {
    try {
      const lines: RowLine[] = []
      const source = { projectId: what.projectId, digest: what.table, sort: undefined }
      const page = { offset: what.from, limit: triedRows, signal: new AbortController().signal }
      for await (const batch of streamRows(source, page)) {
        for (const { row } of batch)
          lines.push({ row: row.index, values: valuesOfRow(row), runs: what.columns.map(() => undefined) })
      }
      put({ dataset: what.dataset, lines })
      await work(
        lines.flatMap((_, line) => what.columns.map((_column, side) => [line, side] as const)),
        what,
      )
    } catch (error) {
      showError(error)
    }
  }
  const again = (what: RowsToRun): void => {
    const tasks = (current.current?.lines ?? []).flatMap(({ runs }, line) =>
      runs.flatMap((run, side) => (run?.state === 'failed' ? [[line, side] as const] : [])),
    )
    void work(tasks, what)
  }
  return { rows, isRunning, start, again, stop }
}
