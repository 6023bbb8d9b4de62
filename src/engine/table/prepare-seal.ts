import type { Row, Table } from '../../lib/table.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import type { DataFile } from '../data-files/data-file.ts'
import type { KeyIndex } from '../key-index/key-index.ts'
import { keepWaiting, oldestBehindMs } from '../memtable/keep-waiting.ts'
import { createTables, Memtable } from '../memtable/memtable.ts'
import { type RetainedRows, selectRetainedRows, type WaitingKeys } from '../memtable/retained-rows.ts'
import type { OlderLayers } from '../memtable/stored-rows.ts'
import { splitKey } from '../row-key.ts'
import { selectWaitingChanges } from './waiting-changes.ts'

export interface SealOptions {
  readonly nowMs: number
  readonly retainIncomplete: boolean
  /** Whether parts that cannot be shown go into files, too, where readers skip them. */
  readonly withParts?: boolean | undefined
  /** A project whose rows are not retained in any case, even if they cannot be shown. */
  readonly dropped?: string | undefined
  /** Ends the segment of the WAL even if it has no row that can be flushed. */
  readonly isForced?: boolean
  /** Whether changes may wait until it is worth rewriting the files of the changed rows. */
  readonly mayWait?: boolean
  readonly keptBytesMax: { readonly retained: number; readonly waiting: number }
}

/** What is known of a memtable that is about to be sealed. */
export interface PreparedSeal {
  /** The memtable after it, which nothing reads yet. */
  readonly next: Memtable
  readonly waiting: WaitingKeys
  readonly retained: RetainedRows
  /** Rows that stay in memory, with which the next segment of the WAL begins. */
  readonly logged: readonly Row[]
  readonly oldestUnflushedMs: number | undefined
  readonly nowMs: number
}

/** @returns undefined if all rows stay in memory */
export async function prepareSeal(
  around: {
    readonly writer: Writer
    readonly table: Table
    readonly memtable: Memtable
    readonly dataFiles: readonly DataFile[]
    readonly keyIndex: KeyIndex
    readonly findInDamagedFiles: OlderLayers['findInDamagedFiles']
  },
  options: SealOptions,
): Promise<PreparedSeal | undefined> {
  const { writer, table, memtable, dataFiles, keyIndex, findInDamagedFiles } = around
  const { nowMs, retainIncomplete, withParts = false, keptBytesMax } = options
  // So that the key file lists no more than the rows of its file.
  for (const key of memtable.deletedHere) if (!memtable.keys.has(key)) memtable.indexBuilder.exclude(...splitKey(key))
  if (options.dropped !== undefined) memtable.drop(options.dropped)
  const waiting: WaitingKeys = options.mayWait
    ? await selectWaitingChanges({ memtable, dataFiles, keyIndex, nowMs, bytesMax: keptBytesMax.waiting })
    : new Set()
  const retaining = { writer, table, memtable, nowMs, retainIncomplete, withParts, waiting, findInDamagedFiles }
  const retained = await selectRetainedRows({ ...retaining, bytesMax: keptBytesMax.retained })
  const oldestUnflushedMs = oldestBehindMs(table, memtable, retained, waiting)
  const staying = new Set([...retained.tableKeys, ...waiting])
  const isNeeded =
    options.isForced || memtable.keys.values().some((key) => !staying.has(key)) || memtable.masked.size > waiting.size
  if (!isNeeded) {
    memtable.firstWriteMs = undefined
    memtable.oldestUnflushedMs = oldestUnflushedMs
    return undefined
  }
  const next = new Memtable(table, memtable.number + 1)
  await createTables(writer, table, next)
  const kept = await keepWaiting(writer, table, { memtable, next }, waiting)
  return { next, waiting, retained, logged: [...kept, ...retained.rows], oldestUnflushedMs, nowMs }
}
