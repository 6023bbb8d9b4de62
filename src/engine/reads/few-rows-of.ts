import { DomainError } from '../../lib/errors.ts'
import { readLimits } from '../../lib/limits/reads.ts'
import type { Relation } from '../../lib/relation.ts'
import type { Reader, ReadLimits } from '../../runtime/duck/reader.ts'
import { readCost } from '../../runtime/platform/read-cost.ts'
import { type FilePredicate, fileMatcher } from '../data-files/data-file.ts'
import { lastRowsOf, selectLast } from '../data-files/select-last.ts'
import { Deadline } from '../deadline.ts'
import type { ParquetFiles } from '../parquet/parquet-files.ts'
import type { PinnedTable } from '../table/pinned-table.ts'
import { FewRows, type FoundRow, type RowsWanted } from './few-rows.ts'
import type { NamedCells } from './find-row.ts'
import type { RowConditions } from './row-conditions.ts'

/** A few rows of one view of a table. */
export interface FewRowsRead {
  /** Rows in data files, in order. */
  readonly places: readonly FoundRow[]
  /** Reads some of them; undefined if only DuckDB can. */
  cells(places: readonly FoundRow[], columns: readonly string[]): Promise<readonly NamedCells[] | undefined>
  /** The rows in memory, any of which may match; undefined if there are none. */
  readonly inMemory: Relation | undefined
}

interface FewRowsRequest {
  readonly files: ParquetFiles
  /** Sees the memtables; undefined if they say nothing about rows of data files. */
  readonly reader: Reader | undefined
  readonly limits: ReadLimits
  readonly pinned: PinnedTable
  readonly wanted: FilePredicate
  readonly conditions: RowConditions
  readonly rows: RowsWanted
  /** The rows in memory; undefined if there are none. */
  readonly inMemory: Relation | undefined
}

/**
 * Finds a few rows; undefined if they cannot be found without DuckDB.
 *
 * @throws DomainError Overloaded, QueryTimeout, RequestCancelled
 */
export async function fewRowsOf(request: FewRowsRequest): Promise<FewRowsRead | undefined> {
  const { pinned, rows, inMemory, reader } = request
  const { table, layout } = pinned
  const hidden = hiddenRows(request)
  if (hidden > readLimits.pointRowsMax) return undefined
  const found = await filesOf(request, hidden)
  if (found === undefined) return undefined
  const limit = rows.limit === undefined ? undefined : rows.limit + hidden
  const source = { table, layout, projectId: request.wanted.projectId, ...found }
  return await unlessOnlyDuckDb(request, async (signal) => {
    const few = new FewRows(request.files, source, { ...rows, limit })
    const places = await few.find(signal)
    const masked = reader === undefined || hidden === 0 ? new Set() : await maskedIds(request, reader, places)
    return {
      places: places.filter(({ id }) => !masked.has(id)).slice(0, rows.limit),
      cells: (chosen, columns) => unlessOnlyDuckDb(request, (signal) => few.cells(chosen, columns, signal)),
      inMemory,
    }
  })
}

/** Rows of files that memtables may hide. */
function hiddenRows({ reader, pinned: { active, sealed }, wanted: { projectId } }: FewRowsRequest): number {
  if (reader === undefined) return 0
  return [active, sealed].reduce((sum, memtable) => sum + (memtable?.maskedPerProject.get(projectId) ?? 0), 0)
}

/** The files, and the rows in them, that may match; undefined if they have to be read by DuckDB. */
async function filesOf({ pinned, wanted, conditions }: FewRowsRequest, hidden: number) {
  const { table, files, damaged, valueIndexes } = pinned
  const matching = files.dataFiles.filter(fileMatcher(table, wanted))
  const { projectId, lastRows } = wanted
  const last = lastRows === undefined ? undefined : { projectId, rows: lastRows, hidden }
  const dataFiles = last === undefined ? matching : selectLast(table, matching, last)
  if (damaged.among(dataFiles).length > 0 || !FewRows.canRead(table, dataFiles)) return undefined
  if (last !== undefined) return { dataFiles, rowRanges: lastRowsOf(table, dataFiles, last) }
  const located = [...(wanted.anyOf ?? [])].filter(([column]) => table.located?.includes(column))
  const values = new Map([...(conditions.values ?? []), ...located])
  return { dataFiles, rowRanges: await valueIndexes.lookUp(dataFiles, values) }
}

/** Which of some rows of files memtables hide. */
async function maskedIds(
  { limits: readLimits, pinned: { table, active, sealed }, wanted: { projectId } }: FewRowsRequest,
  reader: Reader,
  places: readonly FoundRow[],
): Promise<ReadonlySet<unknown>> {
  const [project, id] = table.key
  const masks = [active, sealed].flatMap((memtable) => (memtable?.hasTables ? [memtable.maskName] : []))
  const selects = masks.map(
    (mask) => `SELECT "${id}" FROM "${mask}" WHERE "${project}" = $1 AND "${id}" IN (SELECT unnest($2))`,
  )
  const values = [projectId, { texts: places.map((place) => place.id) }]
  const rows = await reader.rows({ text: selects.join(' UNION ALL '), values }, readLimits)
  return new Set(rows.map(([masked]) => masked))
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
