import { DomainError } from '../../lib/errors.ts'
import type { Relation } from '../../lib/relation.ts'
import type { ReadLimits } from '../../runtime/duck/reader.ts'
import { readCost } from '../../runtime/platform/read-cost.ts'
import { type FilePredicate, fileMatcher } from '../data-files/data-file.ts'
import { lastRowsOf, selectLast } from '../data-files/select-last.ts'
import { Deadline } from '../deadline.ts'
import type { ParquetFiles } from '../parquet/parquet-files.ts'
import { loadFiltersFor, type PinnedTable } from '../table/pinned-table.ts'
import { FewRows, type FoundRow } from './few-rows.ts'
import type { NamedCells } from './find-row.ts'
import { noteFiles, relationOf } from './project-relation.ts'
import type { RowConditions } from './row-conditions.ts'
import type { RowsWanted } from './rows-wanted.ts'

/** A few rows of one view of a table. */
export interface FewRowsRead {
  /** Rows in data files, in order, but for some that the answer leaves out. */
  readonly places: readonly FoundRow[]
  /** How many these are. */
  readonly skipped: number
  /** Reads some of them; undefined if only DuckDB can. */
  cells(places: readonly FoundRow[], columns: readonly string[]): Promise<readonly NamedCells[] | undefined>
  /** The rows in memory, any of which may match; undefined if there are none. */
  readonly inMemory: Relation | undefined
}

interface FewRowsRequest {
  readonly files: ParquetFiles
  readonly limits: ReadLimits
  readonly pinned: PinnedTable
  readonly wanted: FilePredicate
  readonly conditions: RowConditions
  readonly rows: RowsWanted
}

/**
 * Finds a few rows; undefined if they cannot be found without DuckDB.
 *
 * @throws DomainError Overloaded, QueryTimeout, RequestCancelled
 */
export async function fewRowsOf(request: FewRowsRequest): Promise<FewRowsRead | undefined> {
  const { pinned, wanted, rows } = request
  const { table, layout, hidden, hiddenProjects, activeHasRows, sealedHasRows } = pinned
  const { projectId } = wanted
  if (hiddenProjects.has(projectId)) return undefined
  noteFiles(pinned, projectId)
  const hasRows = activeHasRows || sealedHasRows
  const inMemory = hasRows ? relationOf(pinned, { ...wanted, among: () => false }) : undefined
  const found = await filesOf(request)
  if (found === undefined) return undefined
  const isAll = inMemory === undefined && hidden.atMostOf(projectId) === 0
  const source = { table, layout, projectId, isHidden: (id: string) => hidden.has(projectId, id), isAll, ...found }
  return await unlessOnlyDuckDb(request, async (signal) => {
    const few = new FewRows(request.files, source, rows)
    const places = await few.find(signal)
    return {
      places,
      skipped: few.rowsSkipped,
      cells: (chosen, columns) => unlessOnlyDuckDb(request, (signal) => few.cells(chosen, columns, signal)),
      inMemory,
    }
  })
}

/** The files, and the rows in them, that may match; undefined if they have to be read by DuckDB. */
async function filesOf({ pinned, wanted, conditions }: FewRowsRequest) {
  const { table, files, damaged, valueIndexes, hidden } = pinned
  await loadFiltersFor(pinned, wanted)
  const matching = files.dataFiles.filter(fileMatcher(table, wanted))
  const { projectId, lastRows } = wanted
  const last = lastRows === undefined ? undefined : { projectId, rows: lastRows, hidden: hidden.atMostOf(projectId) }
  const dataFiles = last === undefined ? matching : selectLast(table, matching, last)
  if (damaged.among(dataFiles).length > 0 || !FewRows.canRead(table, dataFiles)) return undefined
  if (last !== undefined) return { dataFiles, rowRanges: lastRowsOf(table, dataFiles, last) }
  const located = [...(wanted.anyOf ?? [])].filter(([column]) => table.located?.includes(column))
  const values = new Map([...(conditions.values ?? []), ...located])
  return { dataFiles, rowRanges: await valueIndexes.lookUp(dataFiles, values) }
}

/** Anything that is malformed or unknown is left to DuckDB, whose errors are handled. */
async function unlessOnlyDuckDb<T>(
  { limits: { timeoutMs, signal } }: FewRowsRequest,
  read: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const startMs = performance.now()
  using deadline = new Deadline(timeoutMs, signal)
  try {
    return await read(deadline.signal)
  } catch (cause) {
    if (cause instanceof DomainError) throw cause
    return undefined
  } finally {
    const cost = readCost()
    if (cost !== undefined) cost.readMs += performance.now() - startMs
  }
}
