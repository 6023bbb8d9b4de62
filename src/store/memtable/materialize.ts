import type { Writer } from '../../duck/writer.ts'
import { columnIndex, mergeParts, type Row, type Table } from '../../kernel/table.ts'
import { Turn } from '../../platform/yield.ts'
import { fileColumnList, fileColumns } from '../data-files/file-columns.ts'
import type { Segment } from '../data-files/segment.ts'
import type { Holding } from '../key-index/key-index.ts'
import { keyLists, listedKeys, type RowKey, rowKey, sameKey, splitKey } from '../row-key.ts'
import type { Generation } from './generation.ts'
import { maskColumns } from './generation-tables.ts'
import { type Taking, takeDirty } from './take-dirty.ts'

/** Where the stored half of a row lies when a further part of it comes. */
export interface OlderLayers {
  /** Whether the sealed generation holds the row. */
  sealedHolds(key: RowKey): boolean
  readonly sealedTable: string | undefined
  /** The files that have any of the keys, and those keys. */
  filesHolding(keys: readonly RowKey[]): Promise<Holding>
  /** Those of the keys that damaged files have, which are not among those. */
  damagedHolding(keys: readonly RowKey[]): Promise<readonly RowKey[]>
  /** Looks whether one of the files is damaged, after reading them has failed; if so it is among them no longer. */
  findDamage(segments: readonly Segment[]): Promise<boolean>
  /** A FROM item over files. */
  filesSource(segments: readonly Segment[]): string
  /** Whether an older layer hides the key from the files (its row there is outdated or deleted). */
  hiddenFromFiles(key: RowKey): boolean
}

/**
 * Moves the oldest dirty parts of `generation` into DuckDB, as many as move at a time: finds the stored half of each row, merges, and puts the
 * whole row in place of the old one, all in one transaction. If it fails the parts stay dirty.
 *
 * @returns how many moved; 0 where there are none
 */
export async function materialize(
  writer: Writer,
  table: Table,
  generation: Generation,
  older: OlderLayers,
  taking: Taking,
): Promise<number> {
  const { parts, bytes: partsBytes } = takeDirty(table, generation, taking)
  const taken = parts.size
  if (taken === 0) return 0
  try {
    const bases = await findBases(writer, table, generation, older, [...parts.keys()])
    await parkDamaged(generation, older, parts, bases)
    await place(writer, table, generation, parts, bases)
    generation.bytes += partsBytes
    return taken
  } catch (cause) {
    restoreDirty(table, generation, parts, partsBytes)
    throw cause
  }
}

/** Puts parts by whose stored half lies in a damaged file. */
async function parkDamaged(
  generation: Generation,
  older: OlderLayers,
  parts: Map<RowKey, Row>,
  bases: Bases,
): Promise<void> {
  const isElsewhere = (key: RowKey): boolean =>
    bases.has(key) || generation.masked.has(key) || older.sealedHolds(key) || older.hiddenFromFiles(key)
  for (const key of await older.damagedHolding([...parts.keys()].filter((key) => !isElsewhere(key)))) {
    generation.park(key, parts.get(key)!)
    parts.delete(key)
  }
}

type Origin = 'hot' | 'older'
type Bases = Map<RowKey, { row: Row; origin: Origin }>

async function place(
  writer: Writer,
  table: Table,
  generation: Generation,
  parts: ReadonlyMap<RowKey, Row>,
  bases: Bases,
): Promise<void> {
  const tombstone = columnIndex(table, table.tombstoneColumn)
  const visible = columnIndex(table, table.presenceColumn)
  const rows: Row[] = []
  const rowKeys: RowKey[] = []
  const outdated: RowKey[] = []
  const hidden: RowKey[] = []
  const waiting: [RowKey, Row][] = []
  const tombstones: [RowKey, Row][] = []
  const turn = new Turn()
  for (const [key, part] of parts) {
    if (turn.isOver) await turn.next()
    if (generation.tombstones.has(key) && table.merge === 'cells') continue
    const base = bases.get(key)
    const stored = base?.row ?? generation.waiting.get(key)
    const row = stored === undefined ? part : mergeParts(table, [...stored], part)
    if (base?.origin === 'hot') outdated.push(key)
    if (base?.origin === 'older') hidden.push(key)
    if (row[tombstone] !== null) tombstones.push([key, row])
    else if (row[visible] === null) waiting.push([key, row])
    else {
      table.derive(row)
      rows.push(row)
      rowKeys.push(key)
      // A filter may know values that no row has, so it does no harm if the rows do not get there.
      generation.filterValues.add(row)
    }
  }
  await writer.transaction(async () => {
    if (outdated.length > 0) {
      await writer.execute(
        `DELETE FROM "${generation.tableName}" t USING ${listedKeys(table)} WHERE ${sameKey(table, 'k')}`,
        keyLists(outdated),
      )
    }
    await writer.append(generation.tableName, table.columns, rows, (column) => column.storedIn !== 'wal')
    const fresh = hidden.filter((key) => !generation.masked.has(key)).map(splitKey)
    await writer.append(generation.maskName, maskColumns(table), fresh)
  })
  // From here on nothing can fail: memory follows what the transaction did.
  for (const key of outdated) generation.keys.delete(key)
  for (const key of hidden) generation.mask(key)
  for (const key of rowKeys) {
    generation.keys.add(key)
    generation.waiting.delete(key)
    generation.tombstones.delete(key)
  }
  for (const [key, row] of waiting) generation.waiting.set(key, row)
  for (const [key, row] of tombstones) {
    generation.waiting.delete(key)
    generation.tombstones.set(key, row)
  }
}

async function findBases(
  writer: Writer,
  table: Table,
  generation: Generation,
  older: OlderLayers,
  keys: readonly RowKey[],
): Promise<Bases> {
  const bases: Bases = new Map()
  const hot = keys.filter((key) => generation.keys.has(key))
  await fetchInto(bases, writer, table, `"${generation.tableName}"`, hot, 'hot')
  const rest = keys.filter((key) => !generation.keys.has(key) && !generation.masked.has(key))
  const { sealedTable } = older
  if (sealedTable !== undefined) {
    const sealed = rest.filter((key) => older.sealedHolds(key))
    await fetchInto(bases, writer, table, `"${sealedTable}"`, sealed, 'older')
  }
  const inFiles =
    sealedTable === undefined ? rest : rest.filter((key) => !older.sealedHolds(key) && !older.hiddenFromFiles(key))
  for (;;) {
    const { segments, mayHold } = await older.filesHolding(inFiles)
    if (segments.length === 0) return bases
    try {
      await fetchInto(bases, writer, table, older.filesSource(segments), mayHold, 'older')
      return bases
    } catch (cause) {
      if (!(await older.findDamage(segments))) throw cause
    }
  }
}

async function fetchInto(
  bases: Bases,
  writer: Writer,
  table: Table,
  source: string,
  keys: readonly RowKey[],
  origin: Origin,
): Promise<void> {
  if (keys.length === 0) return
  const cells = fileColumns(table).map((column) => columnIndex(table, column.name))
  // Piece by piece, so that others have their turn: a request may change as many rows as a delete cascades to.
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
      bases.set(rowKey(row[projectCell] as string, row[idCell] as string), { row, origin })
    }
  }
}

function restoreDirty(table: Table, generation: Generation, parts: Map<RowKey, Row>, bytes: number): void {
  for (const [key, newer] of generation.dirty) {
    const part = parts.get(key)
    parts.set(key, part === undefined ? newer : mergeParts(table, part, newer))
  }
  generation.dirty = parts
  generation.dirtyBytes += bytes
  generation.unfinished = { rows: 0, bytes: 0 }
}
