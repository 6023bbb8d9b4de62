import { limits } from '../../limits.ts'
import { type Chunk, splitRow, type TableCatalog, type TableList } from './catalog.ts'
import type { ReadPlan } from './plan-read.ts'

export interface TableRow {
  readonly digest: string
  /** The row as JSON text, as it was stored. */
  readonly val: string
  /** Position in the table from 0. */
  readonly index: number
}

/** The rows as JSON objects of the API, each a text. */
export const rowTexts = (rows: readonly TableRow[]): string[] =>
  rows.map(({ digest, val, index }) => `{"digest":"${digest}","val":${val},"original_index":${index}}`)

/** Rows in an order of their own, sorted by DuckDB, which spills to disk what is too much. */
export async function* sorted(catalog: TableCatalog, list: TableList, plan: ReadPlan): AsyncGenerator<TableRow[]> {
  for await (const [rows, indexes] of catalog.sortedRows(list, plan)) {
    yield rows!.map((row, at) => {
      const [digest, val] = splitRow(row as string)
      return { digest, val, index: indexes![at] as number }
    })
  }
}

interface Position {
  readonly digest: string
  readonly index: number
}

/** Rows in the order of the table, a chunk at a time. */
export async function* inPositions(catalog: TableCatalog, list: TableList, plan: ReadPlan): AsyncGenerator<TableRow[]> {
  const wanted = plan.rowDigests.length === 0 ? undefined : new Set(plan.rowDigests)
  let skip = plan.offset
  let left = plan.limit ?? Number.POSITIVE_INFINITY
  let start = 0
  for (const [chunkDigest, rows] of list.chunks) {
    const first = start
    start += rows
    // Where every row is there and wanted, the position tells how many come before.
    if (wanted === undefined && list.isComplete && skip >= rows) {
      skip -= rows
      continue
    }
    const chunk = (await catalog.chunks([chunkDigest])).get(chunkDigest)
    if (chunk === undefined) throw new Error(`Read the chunk ${chunkDigest} of a table: it is missing in the store`)
    const positions = chunk.digests.map((digest, offset) => ({ digest, index: first + offset }))
    const matching = wanted === undefined ? positions : positions.filter(({ digest }) => wanted.has(digest))
    const present = list.isComplete ? matching : await withRow(catalog, matching)
    const page = present.slice(skip, skip + left)
    skip = Math.max(0, skip - present.length)
    left -= page.length
    yield* fetched(catalog, chunk, page)
    if (left <= 0) return
  }
}

async function withRow(catalog: TableCatalog, positions: readonly Position[]): Promise<Position[]> {
  const places = await catalog.places([...new Set(positions.map(({ digest }) => digest))])
  return positions.filter(({ digest }) => places.has(digest))
}

/** Fetches rows of one chunk, so many at a time that their JSON is not too much. */
async function* fetched(
  catalog: TableCatalog,
  chunk: Chunk,
  positions: readonly Position[],
): AsyncGenerator<TableRow[]> {
  const bytes = chunk.bytes ?? (await bytesOf(catalog, chunk.digests))
  const rowsAtOnce = Math.max(1, Math.floor((chunk.digests.length * limits.tableFetchBytes) / Math.max(1, bytes)))
  for (let from = 0; from < positions.length; from += rowsAtOnce) {
    const page = positions.slice(from, from + rowsAtOnce)
    const vals = await catalog.rows([...new Set(page.map(({ digest }) => digest))], chunk.seq)
    yield page.map(({ digest, index }) => {
      const val = vals.get(digest)
      if (val === undefined) throw new Error(`Read the row ${digest} of a table: it is missing in the store`)
      return { digest, val, index }
    })
  }
}

async function bytesOf(catalog: TableCatalog, digests: readonly string[]): Promise<number> {
  let sum = 0
  for (const { bytes } of (await catalog.places([...new Set(digests)])).values()) sum += bytes
  return sum
}
