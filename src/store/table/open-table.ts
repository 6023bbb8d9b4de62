import type { Writer } from '../../duck/writer.ts'
import { limits } from '../../limits.ts'
import type { Log } from '../../log.ts'
import type { Clock } from '../../platform/clock.ts'
import { ensureFolderDurably } from '../../platform/durable-files.ts'
import { DeltaLog } from '../delta/delta-log.ts'
import type { DeltaState } from '../delta/delta-state.ts'
import { schemaString } from '../delta/schema-string.ts'
import type { Mutex } from '../mutex.ts'
import { fileColumns } from '../segment/file-columns.ts'
import { openSegments, removeStrays } from '../segment/segments.ts'
import type { BatchCodec } from '../wal/batch-codec.ts'
import { recoverLog } from '../wal/recover-log.ts'
import { tableActions, walApplication } from './flush.ts'
import type { TableLayers } from './table-layers.ts'

/**
 * Opens what a table has on disk into `layers`: its files, after removing what a crash left of others, and what only its log holds.
 *
 * @returns the Delta log, and the number of the first log segment that may be written
 */
export async function openTable(options: {
  layers: TableLayers
  codec: BatchCodec
  writer: Writer
  /** The store's lock on layers. */
  lock: Mutex
  clock: Clock
  log: Log
}): Promise<{ deltaLog: DeltaLog; firstSegment: number }> {
  const { layers, writer, log } = options
  const { table, layout } = layers
  for (const folder of [layout.folder, layout.wal, layout.filters]) await ensureFolderDurably(folder)
  const deltaLog = await DeltaLog.open(writer, layout.deltaLog)
  const { state } = deltaLog
  for (const { version, cause } of state.damaged)
    log.warn({ err: cause, version }, 'a checkpoint of the Delta log cannot be read; the table was read without it')
  if (state.metaData?.schemaString !== schemaString(fileColumns(table))) {
    await deltaLog.commit(tableActions(table, options.clock.nowMs(), state.metaData))
  }
  const segments = await openSegments({ table, layout, writer, files: state.files, log })
  layers.files.begin(segments)
  await removeStrays(layout, segments)
  await layers.keyIndex.open(segments)
  return { deltaLog, firstSegment: await replayLog(options, state) }
}

/** Lays what only the log holds over the active generation. */
function replayLog(options: Parameters<typeof openTable>[0], state: DeltaState): Promise<number> {
  const { layers, codec, lock, clock, log } = options
  return recoverLog({
    layout: layers.layout,
    codec,
    flushedThrough: state.transaction(walApplication) ?? 0,
    log,
    apply: async (rows) => {
      // A large log is moved into DuckDB piece by piece, so that it is never twice in memory.
      for (let from = 0; from < rows.length; from += limits.dirtyRowsMax) {
        layers.active.layUncounted(rows.slice(from, from + limits.dirtyRowsMax), clock.nowMs())
        await lock.run(() => layers.materialize('all'))
      }
    },
  })
}
