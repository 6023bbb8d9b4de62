import type { Table } from '../../lib/table.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import { fileExists } from '../../runtime/platform/files/files.ts'
import type { TableLayout } from '../layout.ts'
import { hasOwnMark, statedMark } from '../rollups/rollups.ts'
import { isRollupOf } from '../rollups/write-rollup.ts'

/** A missing rollup only makes statistics slower; a wrong one makes them wrong. */
export async function rollupFaults(
  writer: Writer,
  table: Table,
  layout: TableLayout,
  { fileName, source }: { fileName: string; source: string },
): Promise<string[]> {
  const path = layout.rollup(fileName)
  if (table.rollup === undefined || !(await fileExists(path))) return []
  try {
    const stated = await statedMark(writer, path)
    // Of another version: a running server replaces it.
    if (stated !== undefined && !stated.startsWith(`${table.rollup.version} `)) return []
    const isRight = (await hasOwnMark(writer, table, path)) && (await isRollupOf(writer, table, source, path))
    return isRight ? [] : ['has a rollup of other rows; delete it, and a running server rebuilds it']
  } catch {
    return ['has a damaged rollup; delete it, and a running server rebuilds it']
  }
}
