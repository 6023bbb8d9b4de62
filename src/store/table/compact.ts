import type { Writer } from '../../duck/writer.ts'
import type { Table } from '../../model/table.ts'
import type { Action } from '../delta/actions.ts'
import { type DeltaLog, removeAction } from '../delta/delta-log.ts'
import type { TableLayout } from '../layout.ts'
import type { Segment } from '../segment/segment.ts'
import { parquetSource } from '../segment/segments.ts'
import { newFileName, valuesOfRows, writeSegment } from '../segment/write-segment.ts'
import { removeUncommitted } from './remove-uncommitted.ts'
import type { FileChange } from './table-files.ts'

/**
 * Writes the rows of some files as one file. One Delta commit puts it in their place, and says that no row has changed. Nothing is deleted
 * here.
 */
export async function compactFiles(options: {
  writer: Writer
  table: Table
  layout: TableLayout
  deltaLog: DeltaLog
  /** All files of the table. */
  segments: readonly Segment[]
  /** Those that become one. */
  chosen: readonly Segment[]
  assertHeld: () => Promise<void>
  nowMs: number
}): Promise<FileChange> {
  const { writer, table, layout, deltaLog, segments, chosen, nowMs } = options
  const source = `${parquetSource(layout, chosen)} t`
  const values = await valuesOfRows(writer, table, source)
  const merged = await writeSegment({ writer, table, layout, source, fileName: newFileName(), values, nowMs })
  const added = merged === undefined ? [] : [merged]
  const actions: Action[] = [
    {
      commitInfo: {
        timestamp: nowMs,
        operation: 'OPTIMIZE',
        operationParameters: {},
        engineInfo: 'tracelake',
      },
    },
    ...chosen.map(({ add }) => removeAction(add, nowMs, { dataChange: false })),
    ...added.map(({ add }) => ({ add: { ...add, dataChange: false } })),
  ]
  try {
    await options.assertHeld()
    await deltaLog.commit(actions)
  } catch (cause) {
    await removeUncommitted(layout, deltaLog, added)
    throw cause
  }
  return { segments: [...segments.filter((segment) => !chosen.includes(segment)), ...added], removed: chosen }
}
