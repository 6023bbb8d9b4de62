import type { Writer } from '../../duck/writer.ts'
import { BatchRow } from '../../kernel/column-batch.ts'
import { type Column, cellReader, columnIndex, mergeParts, type Row, type Table } from '../../kernel/table.ts'
import { TimeSlice } from '../../platform/event-loop.ts'
import type { DataFile } from '../data-files/data-file.ts'
import { fileColumnList, fileColumns } from '../data-files/file-columns.ts'
import type { KeyMatches } from '../key-index/key-index.ts'
import { keyLists, listedKeys, type RowKey, rowKey, sameKey, splitKey } from '../row-key.ts'
import { type DirtyRow, mergeDirty, toRow } from './dirty-row.ts'
import { type DrainMode, drainDirty } from './drain-dirty.ts'
import type { Memtable } from './memtable.ts'
import { maskColumns } from './memtable-tables.ts'

/** Where the stored half of a row is when another part of it arrives. */
export interface OlderLayers {
  /** Whether the sealed memtable contains the row. */
  sealedHas(key: RowKey): boolean
  readonly sealedTable: string | undefined
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
  /** Whether an older layer hides the key in the files (its row there is outdated or deleted). */
  isMaskedInFiles(key: RowKey): boolean
}

/** The connections that rows are moved with. */
export interface MaterializeConnections {
  /** Reads and changes the memtable. */
  readonly memtable: Writer
  /** Reads older layers. */
  readonly older: Writer
}

/**
 * Drains the oldest dirty parts of `memtable` into DuckDB, up to the size of one step: fetches the
 * stored half of each row, merges them, and replaces the old row, in one transaction. If it fails,
 * the parts stay dirty.
 *
 * @returns how many parts were drained; 0 if there are none
 */
export async function materialize(
  writers: MaterializeConnections,
  table: Table,
  memtable: Memtable,
  older: OlderLayers,
  mode: DrainMode,
): Promise<number> {
  const { parts, bytes: partsBytes } = drainDirty(table, memtable, mode)
  const taken = parts.size
  if (taken === 0) return 0
  memtable.draining = taken
  try {
    const storedRows = await findStoredRows(writers, table, memtable, older, [...parts.keys()])
    await parkDamaged(memtable, older, parts, storedRows)
    await writeMerged(writers.memtable, table, memtable, parts, storedRows)
    memtable.bytes += partsBytes
    return taken
  } catch (cause) {
    restoreDirty(table, memtable, parts, partsBytes)
    throw cause
  } finally {
    memtable.draining = 0
  }
}

/** Parks parts whose stored half is in a damaged file. */
async function parkDamaged(
  memtable: Memtable,
  older: OlderLayers,
  parts: Map<RowKey, DirtyRow>,
  storedRows: StoredRows,
): Promise<void> {
  const isElsewhere = (key: RowKey): boolean =>
    storedRows.has(key) || memtable.masked.has(key) || older.sealedHas(key) || older.isMaskedInFiles(key)
  const candidates = () => [...parts.keys()].filter((key) => !isElsewhere(key))
  for (const key of await older.findInDamagedFiles(candidates)) {
    memtable.park(key, toRow(parts.get(key)!))
    parts.delete(key)
  }
}

type Origin = 'memtable' | 'older'
type StoredRows = Map<RowKey, { row: Row; origin: Origin }>

async function writeMerged(
  writer: Writer,
  table: Table,
  memtable: Memtable,
  parts: ReadonlyMap<RowKey, DirtyRow>,
  storedRows: StoredRows,
): Promise<void> {
  const tombstone = columnIndex(table, table.tombstoneColumn)
  const visible = columnIndex(table, table.presenceColumn)
  const rows: Row[] = []
  const inBatches: { rows: BatchRow[]; derived: Row[] } = { rows: [], derived: [] }
  /** Rows whose derived cells are in their batches, too. */
  const whole: BatchRow[] = []
  const rowKeys: RowKey[] = []
  const outdated: RowKey[] = []
  const hidden: RowKey[] = []
  const waiting: [RowKey, Row][] = []
  const tombstones: [RowKey, Row][] = []
  const slice = new TimeSlice()
  for (const [key, part] of parts) {
    if (slice.expired) await slice.yield()
    if (memtable.tombstones.has(key) && table.merge === 'cells') continue
    const base = storedRows.get(key)
    const stored = base?.row ?? memtable.orphans.get(key)
    if (stored === undefined && part instanceof BatchRow && part.isNull(tombstone) && !part.isNull(visible)) {
      const derived = part.hasDerived ? undefined : derivedCells(table, part)
      if (part.hasDerived || derived !== undefined) {
        if (derived === undefined) whole.push(part)
        else {
          inBatches.rows.push(part)
          inBatches.derived.push(derived)
        }
        rowKeys.push(key)
        const { derivation } = part.batch
        if (part.hasDerived) memtable.indexBuilder.addHashed(derivation!.hashes, part.index)
        else memtable.indexBuilder.add(part)
        continue
      }
    }
    const row = stored === undefined ? toRow(part) : mergeParts(table, [...stored], toRow(part))
    if (base?.origin === 'memtable') outdated.push(key)
    if (base?.origin === 'older') hidden.push(key)
    if (row[tombstone] !== null) tombstones.push([key, row])
    else if (row[visible] === null) waiting.push([key, row])
    else {
      table.derive(row)
      rows.push(row)
      rowKeys.push(key)
      // The index may contain values of no row, so this is harmless if the transaction fails.
      memtable.indexBuilder.add(cellReader(row))
    }
  }
  await writer.transaction(async () => {
    if (outdated.length > 0) {
      await writer.execute(
        `DELETE FROM "${memtable.tableName}" t USING ${listedKeys(table)} WHERE ${sameKey(table, 'k')}`,
        keyLists(outdated),
      )
    }
    const kept = (column: Column) => column.storedIn !== 'wal'
    await writer.append(memtable.tableName, table.columns, rows, kept)
    await writer.appendBatchRows(memtable.tableName, table.columns, inBatches, kept)
    await writer.appendBatchRows(memtable.tableName, table.columns, { rows: whole, derived: undefined }, kept)
    const fresh = hidden.filter((key) => !memtable.masked.has(key)).map(splitKey)
    await writer.append(memtable.maskName, maskColumns(table), fresh)
  })
  // Nothing can fail from here on: memory follows the committed transaction.
  for (const key of outdated) memtable.keys.delete(key)
  for (const key of hidden) memtable.mask(key)
  for (const key of rowKeys) {
    memtable.keys.add(key)
    if (memtable.orphans.size > 0) memtable.orphans.delete(key)
    if (memtable.tombstones.size > 0) memtable.tombstones.delete(key)
  }
  for (const [key, row] of waiting) memtable.orphans.set(key, row)
  for (const [key, row] of tombstones) {
    memtable.orphans.delete(key)
    memtable.tombstones.set(key, row)
  }
}

const noCells: Row = []

/** The derived cells of a row that can be stored as bytes; undefined if it cannot. */
function derivedCells(table: Table, row: BatchRow): Row | undefined {
  if (table.derivedOf !== undefined) return table.derivedOf(row)
  return table.columns.some(({ storedIn }) => storedIn === 'files') ? undefined : noCells
}

async function findStoredRows(
  writers: MaterializeConnections,
  table: Table,
  memtable: Memtable,
  older: OlderLayers,
  keys: readonly RowKey[],
): Promise<StoredRows> {
  const storedRows: StoredRows = new Map()
  const inMemtable = keys.filter((key) => memtable.keys.has(key))
  await fetchInto(storedRows, writers.memtable, table, `"${memtable.tableName}"`, inMemtable, 'memtable')
  const rest =
    inMemtable.length === 0 && memtable.masked.size === 0
      ? keys
      : keys.filter((key) => !memtable.keys.has(key) && !memtable.masked.has(key))
  const { sealedTable } = older
  if (sealedTable !== undefined) {
    const sealed = rest.filter((key) => older.sealedHas(key))
    await fetchInto(storedRows, writers.older, table, `"${sealedTable}"`, sealed, 'older')
  }
  const inFiles =
    sealedTable === undefined ? rest : rest.filter((key) => !older.sealedHas(key) && !older.isMaskedInFiles(key))
  for (;;) {
    const { dataFiles, matchingKeys } = await older.findInFiles(inFiles)
    if (dataFiles.length === 0) return storedRows
    try {
      await fetchInto(storedRows, writers.older, table, older.filesSource(dataFiles), matchingKeys, 'older')
      return storedRows
    } catch (cause) {
      if (!(await older.findDamage(dataFiles))) throw cause
    }
  }
}

async function fetchInto(
  storedRows: StoredRows,
  writer: Writer,
  table: Table,
  source: string,
  keys: readonly RowKey[],
  origin: Origin,
): Promise<void> {
  if (keys.length === 0) return
  const cells = fileColumns(table).map((column) => columnIndex(table, column.name))
  // Streamed, so that other requests can run: a cascading delete may change very many rows.
  const found = writer.columns(
    `SELECT ${fileColumnList(table)} FROM ${source} t, ${listedKeys(table)} WHERE ${sameKey(table, 'k')}`,
    keyLists(keys),
  )
  const [projectCell, idCell] = table.key.map((name) => columnIndex(table, name)) as [number, number]
  for await (const columns of found) {
    for (let at = 0; at < columns[0]!.length; at++) {
      const row: Row = new Array(table.columns.length).fill(null)
      cells.forEach((cell, index) => {
        row[cell] = columns[index]![at]!
      })
      storedRows.set(rowKey(row[projectCell] as string, row[idCell] as string), { row, origin })
    }
  }
}

function restoreDirty(table: Table, memtable: Memtable, parts: Map<RowKey, DirtyRow>, bytes: number): void {
  for (const [key, newer] of memtable.dirty) {
    const part = parts.get(key)
    parts.set(key, part === undefined ? newer : mergeDirty(table, part, newer))
  }
  memtable.dirty = parts
  memtable.dirtyBytes += bytes
  memtable.incomplete = { rows: 0, bytes: 0 }
}
