import type { StreamSnapshot } from '../../engine/reads/snapshot.ts'
import type { Store } from '../../engine/store.ts'
import { tableChunks, tableLists, tableRows } from '../../engine/tables/stored-tables.ts'
import { DomainError, quoted, tooMany } from '../../lib/errors.ts'
import { requestLimits } from '../../lib/limits/requests.ts'
import { valueAt } from '../../lib/present.ts'
import type { ProjectReader } from '../access/index.ts'
import { planRead, type ReadPlan, TableCatalog } from './catalog.ts'
import type { TableRowsRequest, TableStats } from './model/row-tables.ts'
import { inPositions, selected, type TableRow } from './read-rows.ts'
import type { RowPosition } from './sql/table-positions.ts'

const stored = [tableRows.name, tableChunks.name, tableLists.name]

/** Reads tables. */
export class TableReader {
  private readonly store: Store

  constructor(options: { store: Store }) {
    this.store = options.store
  }

  /**
   * Rows of a table in batches; none if the table does not exist.
   *
   * @throws DomainError InvalidRequest for invalid paging or sort keys
   */
  async *stream(reader: ProjectReader, request: TableRowsRequest, signal?: AbortSignal): AsyncGenerator<TableRow[]> {
    const plan = planRead(request)
    if (plan.limit === 0) return
    yield* this.store.stream(stored, { projectId: reader.projectId, signal }, (snapshot) =>
      this.rowsIn(snapshot, reader, { request, plan }),
    )
  }

  private async *rowsIn(
    snapshot: StreamSnapshot,
    reader: ProjectReader,
    { request, plan }: { request: TableRowsRequest; plan: ReadPlan },
  ): AsyncGenerator<TableRow[]> {
    const catalog = new TableCatalog(snapshot, reader)
    const list = await catalog.findList(request.digest)
    if (list === undefined) return
    const isWhole = plan.sort.length === 0 && plan.rowDigests.length === 0
    yield* isWhole ? inPositions(catalog, list, plan) : selected(catalog, snapshot, list, plan)
  }

  /** Like `stream`, all at once: for tables and pages of modest size. */
  async rows(reader: ProjectReader, request: TableRowsRequest): Promise<TableRow[]> {
    const rows: TableRow[] = []
    for await (const batch of this.stream(reader, request)) rows.push(...batch)
    return rows
  }

  /** Number of rows; undefined if the table does not exist. */
  async count(reader: ProjectReader, digest: string): Promise<number | undefined> {
    return await this.store.read(stored, reader, async (snapshot) => {
      const catalog = new TableCatalog(snapshot, reader)
      return (await catalog.findList(digest))?.rowCount
    })
  }

  /** Digests of the rows of a table in order, chunk by chunk. @throws DomainError NotFound */
  async *digests(reader: ProjectReader, digest: string, signal?: AbortSignal): AsyncGenerator<readonly string[]> {
    yield* this.store.stream(stored, { projectId: reader.projectId, signal }, async function* (snapshot) {
      const catalog = new TableCatalog(snapshot, reader)
      const list = await catalog.findList(digest)
      if (list === undefined) throw new DomainError('NotFound', `The table ${quoted(digest)} does not exist`)
      for (let from = 0; from < list.chunks.length; from += requestLimits.tableChunksScanned) {
        const names = list.chunks.slice(from, from + requestLimits.tableChunksScanned).map(([chunk]) => chunk)
        const chunks = await catalog.rowDigests([...new Set(names)])
        for (const name of names) yield valueAt(chunks, name)
      }
    })
  }

  /** Digests of the first rows whose JSON contains a text, in no order. */
  async mentioning(reader: ProjectReader, text: string, limit: number): Promise<string[]> {
    // What is in the JSON is escaped as JSON escapes it; the quote ends it.
    const needle = JSON.stringify(text).slice(1)
    return await this.store.readLong(stored, reader, (snapshot) =>
      new TableCatalog(snapshot, reader).mentioning(needle, limit),
    )
  }

  /** Where the given rows stand in a table; nowhere if the table does not exist. */
  async positions(reader: ProjectReader, digest: string, rowDigests: readonly string[]): Promise<RowPosition[]> {
    return await this.store.read(stored, reader, async (snapshot) => {
      const catalog = new TableCatalog(snapshot, reader)
      const list = await catalog.findList(digest)
      return list === undefined ? [] : await catalog.positions(list, rowDigests)
    })
  }

  /** JSON texts of rows by digest; those that the project does not have are left out. */
  async texts(reader: ProjectReader, rowDigests: readonly string[]): Promise<Map<string, string>> {
    return await this.store.read(stored, reader, (snapshot) => new TableCatalog(snapshot, reader).rows(rowDigests))
  }

  /**
   * JSON texts of the given rows that are in the table, by digest. Undefined if the table does not
   * exist.
   */
  async findRows(
    reader: ProjectReader,
    digest: string,
    rowDigests: readonly string[],
  ): Promise<Map<string, string> | undefined> {
    return await this.store.read(stored, reader, async (snapshot) => {
      const catalog = new TableCatalog(snapshot, reader)
      const list = await catalog.findList(digest)
      return list && (await catalog.rows(await catalog.members(list, rowDigests)))
    })
  }

  /** Statistics of the tables that exist, in the order of the request. */
  async stats(
    reader: ProjectReader,
    digests: readonly string[],
    { storageSize }: { storageSize: boolean },
  ): Promise<TableStats[]> {
    if (digests.length > requestLimits.tableStatsMax) {
      throw new DomainError('InvalidRequest', tooMany('`digests`', digests.length, requestLimits.tableStatsMax))
    }
    return await this.store.read(stored, reader, async (snapshot) => {
      const catalog = new TableCatalog(snapshot, reader)
      const lists = await catalog.lists([...new Set(digests)])
      const stats: TableStats[] = []
      for (const digest of new Set(digests)) {
        const list = lists.get(digest)
        if (list === undefined) continue
        const bytes = storageSize ? await catalog.bytes(list) : null
        stats.push({ count: list.rowCount, digest, storage_size_bytes: bytes })
      }
      return stats
    })
  }
}
