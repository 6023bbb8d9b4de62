import type { StreamSnapshot } from '../../engine/reads/snapshot.ts'
import { requestLimits } from '../../lib/limits/requests.ts'
import { type Chunk, type ReadPlan, splitRow, type TableCatalog, type TableList } from './catalog.ts'

export interface TableRow {
  readonly digest: string
  /** The row as JSON text, as stored. */
  readonly val: string
  /** 0-based position in the table. */
  readonly index: number
}

/** The rows as JSON texts of API objects. */
export const rowTexts = (rows: readonly TableRow[]): string[] =>
  rows.map(({ digest, val, index }) => `{"digest":"${digest}","val":${val},"original_index":${index}}`)

/** Rows sorted or filtered by DuckDB, which spills to disk if needed. */
export async function* selected(
  catalog: TableCatalog,
  snapshot: StreamSnapshot,
  list: TableList,
  plan: ReadPlan,
): AsyncGenerator<TableRow[]> {
  for await (const rows of catalog.sortedRows(snapshot, list, plan)) {
    yield rows.map(({ row, position }) => {
      const [digest, val] = splitRow(row)
      return { digest, val, index: position }
    })
  }
}

interface Position {
  readonly digest: string
  readonly index: number
}

/** All rows in table order, chunk by chunk. */
export async function* inPositions(catalog: TableCatalog, list: TableList, plan: ReadPlan): AsyncGenerator<TableRow[]> {
  const needed = neededChunks(list, plan)
  let skip = plan.offset - (list.isComplete ? (needed[0]?.first ?? 0) : 0)
  let left = plan.limit ?? Number.POSITIVE_INFINITY
  for (let from = 0; from < needed.length; from += requestLimits.tableChunksScanned) {
    const group = needed.slice(from, from + requestLimits.tableChunksScanned)
    const chunks = await catalog.chunks(group.map(({ digest }) => digest))
    for (const { digest, first } of group) {
      const chunk = chunks.get(digest)
      if (chunk === undefined) throw new Error(`Table chunk ${digest} is missing in the store`)
      const positions = chunk.digests.map((row, offset) => ({ digest: row, index: first + offset }))
      const present = list.isComplete ? positions : await withRow(catalog, positions)
      const page = present.slice(skip, skip + left)
      skip = Math.max(0, skip - present.length)
      left -= page.length
      yield* fetched(catalog, chunk, page)
      if (left <= 0) return
    }
  }
}

/** Chunks that a page may overlap, with the position of their first row. */
function neededChunks(
  { chunks, isComplete }: TableList,
  { offset, limit }: ReadPlan,
): { readonly digest: string; readonly first: number }[] {
  const end = limit === undefined ? Number.POSITIVE_INFINITY : offset + limit
  let start = 0
  return chunks.flatMap(([digest, rows]) => {
    const first = start
    start += rows
    // If no rows are missing, positions show which chunks are outside the page.
    return isComplete && (start <= offset || first >= end) ? [] : [{ digest, first }]
  })
}

async function withRow(catalog: TableCatalog, positions: readonly Position[]): Promise<Position[]> {
  const places = await catalog.places([...new Set(positions.map(({ digest }) => digest))])
  return positions.filter(({ digest }) => places.has(digest))
}

/** Fetches rows of one chunk in batches of limited JSON size. */
async function* fetched(
  catalog: TableCatalog,
  chunk: Chunk,
  positions: readonly Position[],
): AsyncGenerator<TableRow[]> {
  const bytes = chunk.bytes ?? (await bytesOf(catalog, chunk.digests))
  const rowsAtOnce = Math.max(
    1,
    Math.floor((chunk.digests.length * requestLimits.tableFetchBytes) / Math.max(1, bytes)),
  )
  for (let from = 0; from < positions.length; from += rowsAtOnce) {
    const page = positions.slice(from, from + rowsAtOnce)
    const digests = [...new Set(page.map(({ digest }) => digest))]
    const vals = await catalog.rows(digests, chunk.seq)
    // A row that was stored again later than its chunk says, by concurrent requests before writes
    // were serialized.
    const elsewhere = digests.filter((digest) => !vals.has(digest))
    for (const [digest, val] of await catalog.rows(elsewhere)) vals.set(digest, val)
    yield page.map(({ digest, index }) => {
      const val = vals.get(digest)
      if (val === undefined) throw new Error(`Table row ${digest} is missing in the store`)
      return { digest, val, index }
    })
  }
}

async function bytesOf(catalog: TableCatalog, digests: readonly string[]): Promise<number> {
  let sum = 0
  for (const { bytes } of (await catalog.places([...new Set(digests)])).values()) sum += bytes
  return sum
}
