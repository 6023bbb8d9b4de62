import { v7 as uuid } from 'uuid'
import type { Writer } from '../../duck/writer.ts'
import type { Table } from '../../model/table.ts'
import type { Action, MetaData } from '../delta/actions.ts'
import { type DeltaLog, removeAction } from '../delta/delta-log.ts'
import { schemaString } from '../delta/schema-string.ts'
import type { Generation } from '../hot/generation.ts'
import { notMasked } from '../hot/row-key.ts'
import type { KeyIndex } from '../keys/key-index.ts'
import type { TableLayout } from '../layout.ts'
import { fileColumns } from '../segment/file-columns.ts'
import type { Segment } from '../segment/segment.ts'
import { parquetSource } from '../segment/segments.ts'
import { newFileName, valuesOfRows, writeSegment } from '../segment/write-segment.ts'
import { removeUncommitted } from './remove-uncommitted.ts'
import type { FileChange } from './table-files.ts'

/** Name under which a table's Delta log notes the last log segment that its files contain. */
export const walApplication = 'tracelake/wal'

/**
 * Writes a sealed generation to disk: its rows as a new file, and each file that holds rows it hides once more without them. One
 * Delta commit makes both true at the same moment. Nothing is deleted here.
 */
export async function flushGeneration(options: {
  writer: Writer
  table: Table
  layout: TableLayout
  deltaLog: DeltaLog
  keyIndex: KeyIndex
  generation: Generation
  segments: readonly Segment[]
  /** Last log segment whose rows the generation holds. */
  walSegment: number
  assertHeld: () => Promise<void>
  nowMs: number
}): Promise<FileChange> {
  const added: Segment[] = []
  try {
    return await writeAndCommit(options, added)
  } catch (cause) {
    await removeUncommitted(options.layout, options.deltaLog, added)
    throw cause
  }
}

/** @param added takes the files that were written */
async function writeAndCommit(options: Parameters<typeof flushGeneration>[0], added: Segment[]): Promise<FileChange> {
  const { table, layout, deltaLog, keyIndex, generation, segments, walSegment, nowMs } = options
  const removed: Segment[] = []
  const fresh = await writeSegment({
    ...options,
    source: `"${generation.tableName}" t`,
    fileName: newFileName(),
    values: generation.filterValues,
  })
  if (fresh) added.push(fresh)
  if (generation.masked.size > 0) {
    const concerned = await keyIndex.holding(segments, [...generation.masked])
    for (const segment of concerned.segments) {
      const source = `${parquetSource(layout, [segment])} t WHERE ${notMasked(table, generation.maskName)}`
      const fileName = newFileName()
      const values = await valuesOfRows(options.writer, table, source)
      const rewritten = await writeSegment({ ...options, source, fileName, values })
      removed.push(segment)
      if (rewritten) added.push(rewritten)
    }
  }
  const actions: Action[] = [
    {
      commitInfo: {
        timestamp: nowMs,
        operation: 'WRITE',
        operationParameters: { mode: 'Append' },
        engineInfo: 'tracelake',
      },
    },
    { txn: { appId: walApplication, version: walSegment, lastUpdated: nowMs } },
    ...removed.map((segment) => removeAction(segment.add, nowMs, { dataChange: true })),
    ...added.map((segment) => ({ add: segment.add })),
  ]
  await options.assertHeld()
  await deltaLog.commit(actions)
  const gone = new Set(removed)
  return { segments: [...segments.filter((segment) => !gone.has(segment)), ...added], removed }
}

/** First commit of a new table, or the one that tells of changed columns. */
export function tableActions(table: Table, nowMs: number, before: MetaData['metaData'] | undefined): Action[] {
  const metaData: Action = {
    metaData: {
      id: before?.id ?? uuid(),
      name: table.name,
      format: { provider: 'parquet', options: {} },
      schemaString: schemaString(fileColumns(table)),
      partitionColumns: [],
      configuration: {},
      createdTime: before?.createdTime ?? nowMs,
    },
  }
  return before === undefined ? [{ protocol: { minReaderVersion: 1, minWriterVersion: 2 } }, metaData] : [metaData]
}
