import type { Snapshot, StreamSnapshot } from '../../engine/reads/snapshot.ts'
import { tableChunks, tableLists, tableRows } from '../../engine/tables/stored-tables.ts'
import { DomainError, quoted, tooMany } from '../../lib/errors.ts'
import { requestLimits } from '../../lib/limits/requests.ts'
import { itemAt } from '../../lib/present.ts'
import type { Table } from '../../lib/table.ts'
import { type RowShape, rowShape } from '../../lib/typed-rows.ts'
import { parseSort, type SortKey, type SortRules } from '../../query/sort.ts'
import { compileLookup, type Lookup } from '../../query/sql/lookup.ts'
import { parsePage } from '../../query/table-plan.ts'
import type { ProjectReader } from '../access/index.ts'
import type { TableRowsRequest } from './model/row-tables.ts'
import type { PlacedRow, RowPosition } from './sql/table-positions.ts'
import {
  compileMentioning,
  compilePositions,
  compileSortedRows,
  compileTableBytes,
  type TableSources,
  type TableSpan,
} from './sql/table-positions.ts'

/** A validated rows query. */
export interface ReadPlan {
  /** Empty for all rows. */
  readonly rowDigests: readonly string[]
  /** Empty for table order. */
  readonly sort: readonly SortKey[]
  readonly limit: number | undefined
  readonly offset: number
}

/** @throws DomainError InvalidRequest */
export function planRead(request: TableRowsRequest): ReadPlan {
  const rowDigests = [...new Set(request.filter?.row_digests ?? [])]
  const sort = request.sort_by ?? []
  if (rowDigests.length > requestLimits.rowDigestsFilterMax) {
    throw invalid(tooMany('values in `filter.row_digests`', rowDigests.length, requestLimits.rowDigestsFilterMax))
  }
  for (const { field } of sort) checkRowPath(field)
  return {
    rowDigests,
    sort: parseSort(sort, rowsOrder),
    ...parsePage(request),
  }
}

/** Fields of a row are the paths inside its JSON. */
const rowsOrder: SortRules = {
  catalog: { fields: new Map(), otherwise: { kind: 'json', column: 'val', path: [] }, suggestions: [] },
  otherwise: [],
}

/**
 * Rows have no declared fields, so an empty key is a malformed request rather than an unknown
 * field.
 */
function checkRowPath(field: string): void {
  if (field.split('.').every((key) => key.trim() !== '')) return
  throw invalid(`Invalid sort_by field ${quoted(field)}: use a dotted path of keys`)
}

const invalid = (what: string) => new DomainError('InvalidRequest', what)

/** A table: its chunks in order, with their row counts. */
export interface TableList {
  readonly digest: string
  readonly rowCount: number
  readonly chunks: readonly (readonly [chunk: string, rows: number])[]
  /** Whether all rows existed when the table was created; then they always do. */
  readonly isComplete: boolean
}

export interface Chunk {
  readonly digests: readonly string[]
  /**
   * Bytes of its rows as JSON, and the bounds of their `seq`; undefined unless all rows were known.
   */
  readonly bytes: number | undefined
  readonly seq: { readonly min: number; readonly max: number } | undefined
}

/** Location of a row and length of its JSON. */
export interface RowPlace {
  readonly seq: number
  readonly bytes: number
}

const listCells = tableLists.select('digest', 'row_count', 'chunks', 'is_complete')
const chunkShape = rowShape({ digest: 'text', rowDigests: 'text', bytes: 'integer?', min: 'integer?', max: 'integer?' })
/** Digest and JSON of a row as one text. */
const joinedShape = rowShape({ row: 'text' })

/** Reads the parts of tables from one snapshot of one project. */
export class TableCatalog {
  private readonly snapshot: Snapshot
  private readonly projectId: string

  constructor(snapshot: Snapshot, { projectId }: ProjectReader) {
    this.snapshot = snapshot
    this.projectId = projectId
  }

  async findList(digest: string): Promise<TableList | undefined> {
    return (await this.lists([digest])).get(digest)
  }

  /** The tables that exist. */
  async lists(digests: readonly string[]): Promise<Map<string, TableList>> {
    const { columns } = listCells
    const rows = await this.lookUp(tableLists, listCells, { columns, keyColumn: 'digest', keys: digests })
    return new Map(
      rows.map((row) => [
        row.digest,
        {
          digest: row.digest,
          rowCount: row.row_count,
          chunks: JSON.parse(row.chunks),
          isComplete: row.is_complete === 1,
        },
      ]),
    )
  }

  /** The chunks that exist. */
  async chunks(digests: readonly string[]): Promise<Map<string, Chunk>> {
    const found = new Map<string, Chunk>()
    for (let from = 0; from < digests.length; from += requestLimits.tableChunksScanned) {
      const rows = await this.lookUp(tableChunks, chunkShape, {
        columns: ['digest', { joinedList: 'row_digests' }, 'size_bytes', 'seq_min', 'seq_max'],
        keyColumn: 'digest',
        keys: digests.slice(from, from + requestLimits.tableChunksScanned),
      })
      for (const { digest, rowDigests, bytes, min, max } of rows) {
        found.set(digest, {
          digests: rowDigests.split(','),
          bytes: bytes ?? undefined,
          seq: min === null || max === null ? undefined : { min, max },
        })
      }
    }
    return found
  }

  /** Digests of the rows in chunks. @throws Error if a chunk is missing */
  async rowDigests(chunks: readonly string[]): Promise<Map<string, readonly string[]>> {
    const found = await this.chunks(chunks)
    const missing = chunks.find((chunk) => !found.has(chunk))
    if (missing !== undefined) throw new Error(`Table chunk ${missing} is missing in the store`)
    return new Map([...found].map(([chunk, { digests }]) => [chunk, digests]))
  }

  /** The chunks that exist with all of their rows. */
  async completeChunks(digests: readonly string[]): Promise<Set<string>> {
    const cells = tableChunks.select('digest', 'seq_min')
    const { columns } = cells
    const rows = await this.lookUp(tableChunks, cells, { columns, keyColumn: 'digest', keys: digests })
    return new Set(rows.flatMap(({ digest, seq_min }) => (seq_min === null ? [] : [digest])))
  }

  /** Locations of the rows that exist. */
  async places(digests: readonly string[]): Promise<Map<string, RowPlace>> {
    const cells = tableRows.select('digest', 'seq', 'size_bytes')
    const { columns } = cells
    const rows = await this.lookUp(tableRows, cells, { columns, keyColumn: 'digest', keys: digests })
    return new Map(rows.map(({ digest, seq, size_bytes }) => [digest, { seq, bytes: size_bytes }]))
  }

  /** JSON texts of the rows that exist. */
  async rows(digests: readonly string[], seq?: Chunk['seq']): Promise<Map<string, string>> {
    const rows = await this.lookUp(tableRows, joinedShape, {
      columns: [{ joined: ['digest', 'val'] }],
      keyColumn: 'digest',
      keys: digests,
      within: seq && { column: 'seq', from: seq.min, to: seq.max },
    })
    return new Map(rows.map(({ row }) => splitRow(row)))
  }

  /**
   * Rows (digest and JSON text, see `splitRow`) and positions in the requested order, in batches.
   */
  sortedRows(snapshot: StreamSnapshot, list: TableList, plan: ReadPlan): AsyncGenerator<PlacedRow[]> {
    return snapshot.rowsInTurn(compileSortedRows(this.sources(list), spanOf(list), plan))
  }

  /** The subset of the rows that are in the table. */
  async members(list: TableList, rowDigests: readonly string[]): Promise<string[]> {
    if (rowDigests.length === 0) return []
    return [...new Set((await this.positions(list, rowDigests)).map(({ digest }) => digest))]
  }

  /** Where the rows stand in the table, in its order. */
  async positions(list: TableList, rowDigests: readonly string[]): Promise<RowPosition[]> {
    return await this.snapshot.rows(compilePositions(this.sources(list), spanOf(list), rowDigests))
  }

  /** Digests of the first rows whose JSON text contains a text. */
  async mentioning(text: string, limit: number): Promise<string[]> {
    const rows = this.snapshot.relation(tableRows.name)
    const sql = compileMentioning({ relation: rows, projectId: this.projectId }, text, limit)
    return (await this.snapshot.rows(sql)).map(({ digest }) => digest)
  }

  /** Bytes of all rows of the table as JSON. */
  async bytes(list: TableList): Promise<number> {
    const sql = compileTableBytes(this.sources(list), spanOf(list))
    return itemAt(await this.snapshot.rows(sql), 0).bytes
  }

  private sources({ chunks }: TableList): TableSources {
    const { projectId, snapshot } = this
    const wanted = { digest: chunks.map(([chunk]) => chunk) }
    return {
      projectId,
      chunks: snapshot.relation(tableChunks.name, wanted),
      rows: snapshot.relation(tableRows.name),
    }
  }

  private async lookUp<R>(table: Table, shape: RowShape<R>, lookup: Lookup): Promise<R[]> {
    if (lookup.keys.length === 0) return []
    const relation = this.snapshot.relation(table.name, { [lookup.keyColumn]: lookup.keys })
    const sql = compileLookup({ relation, projectId: this.projectId }, lookup)
    return await this.snapshot.rows({ ...sql, shape })
  }
}

function spanOf({ chunks }: TableList): TableSpan {
  const starts: number[] = []
  let start = 0
  for (const [, rows] of chunks) {
    starts.push(start)
    start += rows
  }
  return { chunks: chunks.map(([chunk]) => chunk), starts }
}

/** Splits a text into digest and JSON of a row: all row digests have the same length. */
export const splitRow = (row: string): [digest: string, val: string] => [
  row.slice(0, rowDigestChars),
  row.slice(rowDigestChars),
]

const rowDigestChars = 43
