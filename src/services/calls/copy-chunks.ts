import type { ReadLimits } from '../../duck/reader.ts'
import type { Cell } from '../../model/table.ts'
import { removeFile, writePieces } from '../../platform/files.ts'
import { rowsFileSql } from '../../query/rows-file.ts'
import type { OutputColumn } from '../../query/sql/call-columns.ts'
import type { Snapshot } from '../../store/snapshot.ts'

const encoder = new TextEncoder()

/**
 * Writes rows that were made outside of DuckDB as one Parquet file. They go through a file of JSON lines, because the connection that
 * yields the rows cannot take them in at the same time; memory stays flat.
 */
export async function copyChunksToParquet(options: {
  snapshot: Snapshot
  columns: readonly OutputColumn[]
  chunks: AsyncGenerator<Cell[][]>
  /** A path for the rows on their way. */
  rowsFile: string
  path: string
  limits: ReadLimits
}): Promise<void> {
  const { snapshot, columns, chunks, rowsFile, path, limits } = options
  await writePieces(rowsFile, jsonRows(chunks))
  try {
    await snapshot.reader.copyToParquet(rowsFileSql(rowsFile, columns), path, limits)
  } finally {
    await removeFile(rowsFile)
  }
}

async function* jsonRows(chunks: AsyncGenerator<Cell[][]>): AsyncGenerator<Uint8Array> {
  for await (const columns of chunks) {
    const lines = (columns[0] ?? []).map(
      (_, row) => `${JSON.stringify(Object.fromEntries(columns.map((cells, index) => [`c${index}`, cells[row]])))}\n`,
    )
    yield encoder.encode(lines.join(''))
  }
}
