import type { Sql } from '../../lib/sql.ts'
import type { Cell } from '../../lib/table.ts'
import type { OutputColumn } from '../../query/sql/call-columns.ts'
import { rowsFileSql } from '../../query/sql/rows-file.ts'
import { writeChunks } from '../../runtime/platform/files/file-chunks.ts'
import { removeFile } from '../../runtime/platform/files/files.ts'

const encoder = new TextEncoder()

/**
 * Writes rows that were produced outside DuckDB as one Parquet file. They go through a JSON Lines
 * file, because the connection that yields the rows cannot ingest them at the same time; memory
 * stays constant.
 */
export async function copyChunksToParquet(options: {
  /** Writes the rows of a SELECT to the Parquet file. */
  copy: (sql: Sql) => Promise<void>
  columns: readonly OutputColumn[]
  chunks: AsyncGenerator<Cell[][]>
  /** Path of the intermediate rows file. */
  rowsFile: string
}): Promise<void> {
  const { copy, columns, chunks, rowsFile } = options
  await writeChunks(rowsFile, jsonRows(chunks))
  try {
    await copy(rowsFileSql(rowsFile, columns))
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
