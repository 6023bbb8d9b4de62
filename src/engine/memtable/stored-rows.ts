import type { Row, Table } from '../../lib/table.ts'
import { cellAt, keyPositions } from '../../lib/typed-rows.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import { NotAtHand } from '../../runtime/platform/without-waiting.ts'
import type { DataFile } from '../data-files/data-file.ts'
import { fileColumnList, fileColumns } from '../data-files/file-scan.ts'
import type { KeyMatches } from '../key-index/key-index.ts'
import type { KnownRows } from '../lineage/lessons.ts'
import { keyLists, listedKeys, type RowKey, rowKey, rowsOfColumns, sameKey } from '../row-key.ts'
import type { Memtable } from './memtable.ts'

/** Where the stored half of a row is when another part of it arrives. */
export interface OlderLayers {
  readonly sealed: Memtable | undefined
  /** The intact files that contain any of the keys, and those keys. */
  findInFiles(keys: readonly RowKey[]): Promise<KeyMatches>
  /**
   * The keys that damaged files contain, which `findInFiles` leaves out. Where no file is damaged,
   * `keys` is not called.
   */
  findInDamagedFiles(keys: () => readonly RowKey[]): Promise<readonly RowKey[]>
  /**
   * Checks files for damage after a read has failed. Damaged ones are left out from then on.
   * Returns whether any is damaged.
   */
  findDamage(dataFiles: readonly DataFile[]): Promise<boolean>
  /** A FROM item over files. */
  filesSource(dataFiles: readonly DataFile[]): string
  /** The knowledge of rows about the rows below them. */
  readonly knownRows: KnownRows
}

/** The connections that rows are moved with. */
export interface MaterializeConnections {
  /** Reads and changes the memtable. */
  readonly memtable: Writer
  /** Reads older layers. */
  readonly older: Writer
}

type Origin = 'memtable' | 'older'

/**
 * Stored halves of rows, and the layer that each is from. The row is undefined if it is only known
 * to exist.
 */
export type StoredRows = Map<RowKey, { row: Row | undefined; origin: Origin }>

/**
 * The stored halves of rows, from the newest layer that contains each. Of rows of files that are
 * about to be deleted, or replaced as a whole, only the keys are read.
 */
export async function findStoredRows(
  writers: MaterializeConnections,
  table: Table,
  memtable: Memtable,
  older: OlderLayers,
  keys: readonly RowKey[],
  superseded: ReadonlySet<RowKey>,
): Promise<StoredRows> {
  const storedRows: StoredRows = new Map()
  const inMemtable = keys.filter((key) => memtable.keys.has(key))
  await fetchInto(storedRows, writers.memtable, table, `"${memtable.tableName}"`, inMemtable, 'memtable')
  const rest =
    inMemtable.length === 0 && memtable.masked.size === 0
      ? keys
      : keys.filter((key) => !memtable.keys.has(key) && !memtable.masked.has(key))
  const { sealed } = older
  if (sealed !== undefined) {
    const inSealed = rest.filter((key) => sealed.keys.has(key))
    await fetchInto(storedRows, writers.older, table, `"${sealed.tableName}"`, inSealed, 'older')
  }
  const inFiles = sealed === undefined ? rest : rest.filter((key) => !sealed.keys.has(key) && !sealed.masked.has(key))
  const isSuperseded = (key: RowKey) => superseded.has(key)
  for (const [columns, wanted] of [
    ['key', inFiles.filter(isSuperseded)],
    ['all', inFiles.filter((key) => !isSuperseded(key))],
  ] as const) {
    for (let isDone = wanted.length === 0; !isDone; ) {
      const { dataFiles, matchingKeys } = await older.findInFiles(wanted)
      if (dataFiles.length === 0) break
      try {
        const source = older.filesSource(dataFiles)
        await fetchInto(storedRows, writers.older, table, source, matchingKeys, 'older', columns)
        isDone = true
      } catch (cause) {
        if (cause instanceof NotAtHand || !(await older.findDamage(dataFiles))) throw cause
      }
    }
  }
  return storedRows
}

async function fetchInto(
  storedRows: StoredRows,
  writer: Writer,
  table: Table,
  source: string,
  keys: readonly RowKey[],
  origin: Origin,
  columns: 'key' | 'all' = 'all',
): Promise<void> {
  const { project, id } = keyPositions(table)
  for await (const row of readRows(writer, table, source, keys, columns))
    storedRows.set(rowKey(cellAt(row, project), cellAt(row, id)), { row: columns === 'all' ? row : undefined, origin })
}

/** Reads the rows with some keys. With columns `key`, all other cells are null. */
export async function* readRows(
  writer: Writer,
  table: Table,
  source: string,
  keys: readonly RowKey[],
  columns: 'key' | 'all' = 'all',
): AsyncGenerator<Row> {
  if (keys.length === 0) return
  const isWhole = columns === 'all'
  const names = isWhole ? fileColumns(table).map(({ name }) => name) : table.key
  const list = isWhole ? fileColumnList(table) : table.key.map((name) => `t."${name}"`).join(', ')
  // Streamed, so that other requests can run: a cascading delete may change very many rows.
  const found = writer.columns(
    `SELECT ${list} FROM ${source} t, ${listedKeys(table)} WHERE ${sameKey(table, 'k')}`,
    keyLists(keys),
  )
  for await (const chunk of found) yield* rowsOfColumns(table, names, chunk)
}
