import { BatchRow } from '../../lib/batch-row.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import { itemAt, valueAt } from '../../lib/present.ts'
import { type Column, cellReader, columnIndex, mergeParts, type Row, rowBytes, type Table } from '../../lib/table.ts'
import { cellAt, positionOf } from '../../lib/typed-rows.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import { TimeSlice } from '../../runtime/platform/event-loop.ts'
import { bareRow, type KnownRows, type Lesson, lessonOf, rowWithLesson } from '../lineage/lessons.ts'
import { LineagePass } from '../lineage/lineage-pass.ts'
import { keyLists, listedKeys, type RowKey, sameKey, splitKey } from '../row-key.ts'
import { type DrainMode, drainDirty } from './drain-dirty.ts'
import { type DirtyRow, isNullCell, type Memtable, maskColumns, mergeDirty, toRow } from './memtable.ts'
import { findStoredRows, type MaterializeConnections, type OlderLayers, type StoredRows } from './stored-rows.ts'

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
  const isLater = mode === 'lessons stay' ? (key: RowKey) => !parts.has(key) : (key: RowKey) => memtable.dirty.has(key)
  const lessons = memtable.lessons.take(isLater, storageLimits.drainedRowsMax)
  const bare = [...lessons.keys()].filter((key) => !parts.has(key))
  for (const key of bare) parts.set(key, bareRow(table, itemAt(valueAt(lessons, key), 0)))
  if (parts.size === 0) return 0
  memtable.draining = parts.size
  try {
    const storedRows = await findStoredRows(
      writers,
      table,
      memtable,
      older,
      [...parts.keys()],
      supersededIn(table, parts),
    )
    for (const key of bare) keepTouched(table, valueAt(parts, key), storedRows.get(key)?.row)
    await parkDamaged(table, memtable, older, parts, { storedRows, lessons })
    const context = { storedRows, lessons, bare: new Set(bare), knownRows: older.knownRows }
    await writeMerged(writers.memtable, table, memtable, parts, context)
    for (const part of parts.values()) if (part instanceof BatchRow) part.end()
    memtable.bytes += partsBytes
    for (const key of bare) if (memtable.keys.has(key)) memtable.bytes += rowBytes(storedRows.get(key)?.row ?? [])
    if (memtable.dirty.size === 0 && memtable.lessons.size === 0) memtable.mayHaveFacts = false
    return taken
  } catch (cause) {
    for (const key of bare) parts.delete(key)
    restoreDirty(table, memtable, parts, partsBytes)
    memtable.lessons.addAll(table, lessons)
    throw cause
  } finally {
    memtable.draining = 0
  }
}

/** The keys of rows that their parts delete, or replace as a whole. */
function supersededIn(table: Table, parts: ReadonlyMap<RowKey, DirtyRow>): ReadonlySet<RowKey> {
  if (table.merge === 'row') return new Set(parts.keys())
  const marks = [table.tombstoneColumn, ...(table.wholeColumn === undefined ? [] : [table.wholeColumn])]
  const cells = marks.map((name) => columnIndex(table, name))
  const isWhole = (part: DirtyRow) => cells.some((cell) => !isNullCell(part, cell))
  return new Set([...parts].flatMap(([key, part]) => (isWhole(part) ? [key] : [])))
}

/** A row that learns counts as written at the later of two times. */
function keepTouched(table: Table, part: DirtyRow, stored: Row | undefined): void {
  const touched = positionOf(table, table.updatedAtColumn, 'time')
  if (stored === undefined || !Array.isArray(part)) return
  part[touched] = Math.max(cellAt(part, touched) ?? 0, cellAt(stored, touched) ?? 0)
}

/** Parks parts whose stored half is in a damaged file. */
async function parkDamaged(
  table: Table,
  memtable: Memtable,
  older: OlderLayers,
  parts: Map<RowKey, DirtyRow>,
  { storedRows, lessons }: Pick<Context, 'storedRows' | 'lessons'>,
): Promise<void> {
  const isElsewhere = (key: RowKey) =>
    storedRows.has(key) || memtable.masked.has(key) || older.sealed?.keys.has(key) || older.sealed?.masked.has(key)
  const candidates = () => [...parts.keys()].filter((key) => !isElsewhere(key))
  for (const key of await older.findInDamagedFiles(candidates)) {
    memtable.park(key, toRow(valueAt(parts, key)))
    for (const lesson of lessons.get(key) ?? []) memtable.park(key, rowWithLesson(table, lesson))
    parts.delete(key)
  }
}

interface Context {
  readonly storedRows: StoredRows
  /** Facts for rows, by key. */
  readonly lessons: ReadonlyMap<RowKey, readonly Lesson[]>
  /** Rows that change only if they learn something. */
  readonly bare: ReadonlySet<RowKey>
  readonly knownRows: KnownRows
}

async function writeMerged(
  writer: Writer,
  table: Table,
  memtable: Memtable,
  parts: ReadonlyMap<RowKey, DirtyRow>,
  { storedRows, lessons, bare, knownRows }: Context,
): Promise<void> {
  const tombstone = columnIndex(table, table.tombstoneColumn)
  const visible = columnIndex(table, table.presenceColumn)
  const merged = new Map<RowKey, Row>()
  /** Rows that stay bytes, with their derived cells unless these are in the batch, too. */
  const inBatch = new Map<RowKey, { readonly part: BatchRow; readonly derived: Row | undefined }>()
  const outdated: RowKey[] = []
  const hidden: RowKey[] = []
  const waiting: [RowKey, Row][] = []
  const tombstones: [RowKey, Row][] = []
  const pass = table.lineage && new LineagePass(table, table.lineage, knownRows)
  const slice = new TimeSlice()
  for (const [key, part] of parts) {
    if (slice.expired) await slice.yield()
    if (memtable.tombstones.has(key) && table.merge === 'cells') continue
    const base = storedRows.get(key)
    const stored = base?.row ?? memtable.orphans.get(key)
    const isFresh = base === undefined && stored === undefined && !lessons.has(key)
    if (isFresh && part instanceof BatchRow && part.isNull(tombstone) && !part.isNull(visible)) {
      const derived = part.hasDerived ? undefined : derivedCells(table, part)
      if (part.hasDerived || derived !== undefined) {
        inBatch.set(key, { part, derived })
        pass?.addBatchRow(key, part, derived)
        continue
      }
    }
    const row = pass === undefined ? merge(table, stored, toRow(part)) : pass.merge(key, stored, toRow(part))
    if (base?.origin === 'memtable') outdated.push(key)
    if (base?.origin === 'older') hidden.push(key)
    if (row[tombstone] !== null) {
      tombstones.push([key, row])
      continue
    }
    if (row[visible] === null) waiting.push([key, row])
    else {
      table.derive(row)
      merged.set(key, row)
    }
    const own = lessonOf(table, part)
    const learned = lessons.get(key) ?? []
    pass?.addRow(key, row, own === undefined ? learned : [...learned, own])
  }
  await pass?.run()
  const isIdle = (key: RowKey) => bare.has(key) && storedRows.has(key) && !pass?.hasLearned(key)
  for (const key of bare) if (isIdle(key)) merged.delete(key)
  const rows = [...merged.values()]
  const partial: { rows: BatchRow[]; derived: Row[] } = { rows: [], derived: [] }
  const whole: BatchRow[] = []
  // The index may contain values of no row, so this is harmless if the transaction fails.
  for (const row of rows) {
    if (slice.expired) await slice.yield()
    memtable.indexBuilder.add(cellReader(row))
  }
  for (const [key, { part, derived }] of inBatch) {
    if (slice.expired) await slice.yield()
    const changed = pass?.unbatched.get(key)
    if (changed !== undefined) rows.push(changed)
    else if (derived === undefined) whole.push(part)
    else {
      partial.rows.push(part)
      partial.derived.push(derived)
    }
    const { derivation } = part.batch
    if (part.hasDerived && derivation !== undefined) memtable.indexBuilder.addHashed(derivation.hashes, part.index)
    else memtable.indexBuilder.add(part)
  }
  const replaced = outdated.filter((key) => !isIdle(key))
  const newlyHidden = hidden.filter((key) => !isIdle(key))
  await writer.transaction(async () => {
    if (replaced.length > 0) {
      await writer.execute(
        `DELETE FROM "${memtable.tableName}" t USING ${listedKeys(table)} WHERE ${sameKey(table, 'k')}`,
        keyLists(replaced),
      )
    }
    const kept = (column: Column) => column.storedIn !== 'wal'
    await writer.append(memtable.tableName, table.columns, rows, kept)
    await writer.appendBatchRows(memtable.tableName, table.columns, partial, kept)
    await writer.appendBatchRows(memtable.tableName, table.columns, { rows: whole, derived: undefined }, kept)
    const fresh = newlyHidden.filter((key) => !memtable.masked.has(key)).map(splitKey)
    await writer.append(memtable.maskName, maskColumns(table), fresh)
  })
  // Nothing can fail from here on: memory follows the committed transaction.
  for (const key of replaced) memtable.keys.delete(key)
  for (const key of newlyHidden) memtable.masked.add(key)
  for (const [key, row] of merged) memtable.noteStored(key, row)
  for (const [key, { part }] of inBatch) memtable.noteStored(key, part)
  for (const [key, row] of waiting) if (!isIdle(key)) memtable.orphans.set(key, row)
  for (const [key, row] of tombstones) {
    memtable.orphans.delete(key)
    memtable.tombstones.set(key, row)
    if (storedRows.get(key)?.origin === 'memtable') memtable.deletedHere.add(key)
    knownRows.forget(key)
  }
  pass?.settle()
  if (pass !== undefined && pass.forOthers.size > 0) {
    memtable.lessons.addAll(table, pass.forOthers)
    memtable.mayHaveFacts = true
  }
}

const merge = (table: Table, stored: Row | undefined, part: Row): Row =>
  stored === undefined ? part : mergeParts(table, [...stored], part)

const noCells: Row = []

/** The derived cells of a row that can be stored as bytes; undefined if it cannot. */
function derivedCells(table: Table, row: BatchRow): Row | undefined {
  if (table.derivedOf !== undefined) return table.derivedOf(row)
  return table.columns.some(({ storedIn }) => storedIn === 'files') ? undefined : noCells
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
