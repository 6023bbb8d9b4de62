import { BatchRow } from '../../lib/batch-row.ts'
import { BoundedMap } from '../../lib/bounded-map.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import { itemAt, present } from '../../lib/present.ts'
import { columnIndex, type Knowledge, type Lineage, type Row, type Table } from '../../lib/table.ts'
import { cellAt, positionOf } from '../../lib/typed-rows.ts'
import type { RowKey } from '../row-key.ts'

interface KnownRow {
  readonly tree: string | null
  readonly knowledge: Knowledge
}

/**
 * A cache of the knowledge of recently updated rows, so that a row need not be read to find out
 * that it already has a fact. Losing an entry costs time only.
 */
export class KnownRows {
  private rows = new BoundedMap<RowKey, KnownRow>(storageLimits.knownLineagesMax)

  set(key: RowKey, tree: string | null, knowledge: Knowledge): void {
    this.rows.set(key, { tree, knowledge })
  }

  /** Whether a row of the tree may have to learn something. */
  isNewFor(key: RowKey, tree: string | null, isNew: (knowledge: Knowledge) => boolean): boolean {
    const row = this.rows.get(key)
    return row === undefined || row.tree !== tree || isNew(row.knowledge)
  }

  /** Call when a row was deleted, or what it knows was replaced. */
  forget(key: RowKey): void {
    if (this.rows.has(key)) this.rows.delete(key)
  }

  /** Call when rows were changed in any other way. */
  clear(): void {
    this.rows = new BoundedMap(storageLimits.knownLineagesMax)
  }
}

/** Facts for one row from rows below it that name the same tree. */
export interface Lesson {
  readonly tree: string | null
  readonly project: string
  readonly id: string
  /** When the rows below were written; see `Table.updatedAtColumn`. */
  readonly touched: number | null
  readonly facts: Knowledge
}

/** Facts for rows, kept until the rows are moved into the memtable's table. */
export class Lessons {
  private readonly byRow = new Map<RowKey, Lesson[]>()

  get size(): number {
    return this.byRow.size
  }

  /** The lessons of each row. */
  *entries(): IterableIterator<[RowKey, readonly Lesson[]]> {
    yield* this.byRow
  }

  add(table: Table, key: RowKey, lesson: Lesson): void {
    const lessons = this.byRow.get(key)
    if (lessons === undefined) {
      this.byRow.set(key, [lesson])
      return
    }
    const index = lessons.findIndex(({ tree }) => tree === lesson.tree)
    const known = lessons[index]
    if (known === undefined) lessons.push(lesson)
    else lessons[index] = { ...lesson, facts: lineageOf(table).learn(lesson.id, known.facts, lesson.facts) }
  }

  addAll(table: Table, others: ReadonlyMap<RowKey, readonly Lesson[]> | Lessons): void {
    for (const [key, lessons] of others.entries()) for (const lesson of lessons) this.add(table, key, lesson)
  }

  /** Drops what a row has to learn of rows that were written before a time, if one is given. */
  dropBefore(key: RowKey, micros: number | undefined): void {
    const lessons = micros === undefined ? undefined : this.byRow.get(key)
    if (micros === undefined || lessons === undefined) return
    const left = lessons.filter(({ touched }) => (touched ?? 0) >= micros)
    if (left.length > 0) this.byRow.set(key, left)
    else this.byRow.delete(key)
  }

  /** Takes the lessons of rows but those that are to be moved later. */
  take(isLater: (key: RowKey) => boolean, rowsMax: number): Map<RowKey, readonly Lesson[]> {
    const taken = new Map<RowKey, readonly Lesson[]>()
    for (const [key, lessons] of this.byRow) {
      if (taken.size >= rowsMax) break
      if (!isLater(key)) taken.set(key, lessons)
    }
    for (const key of taken.keys()) this.byRow.delete(key)
    return taken
  }
}

/** The facts that a row has from its own batch; undefined if there are none. */
export function lessonOf(table: Table, row: Row | BatchRow): Lesson | undefined {
  const { lineage } = table
  if (lineage === undefined || !(row instanceof BatchRow) || !row.hasHints) return undefined
  return {
    tree: row.text(lineage.tree),
    project: present(row.text(columnIndex(table, table.key[0])), 'The project of a row'),
    id: present(row.text(columnIndex(table, table.key[1])), 'The id of a row'),
    touched: row.number(columnIndex(table, table.updatedAtColumn)),
    facts: lineage.known(row),
  }
}

/**
 * When a part was written that says all that its row knows of the rows below it, as after one of
 * those was deleted; undefined for other parts.
 */
export function toldAt(table: Table, row: Row | BatchRow): number | undefined {
  const cells = table.lineage?.cells ?? []
  const isTold = (cell: number) =>
    row instanceof BatchRow ? !row.batch.hints.has(cell) && !row.isNull(cell) : row[cell] !== null
  if (cells.length === 0 || !cells.every(isTold)) return undefined
  const touched = positionOf(table, table.updatedAtColumn, 'time')
  return (row instanceof BatchRow ? row.number(touched) : cellAt(row, touched)) ?? undefined
}

/** A part that says nothing new of the row that has to learn something. */
export function bareRow(table: Table, { project, id, touched }: Lesson): Row {
  const row: Row = table.columns.map(() => null)
  row[columnIndex(table, table.key[0])] = project
  row[columnIndex(table, table.key[1])] = id
  row[columnIndex(table, table.updatedAtColumn)] = touched
  return row
}

/** The same with what the row has to learn, for a row that cannot be read. */
export function rowWithLesson(table: Table, lesson: Lesson): Row {
  const row = bareRow(table, lesson)
  row[lineageOf(table).tree] = lesson.tree
  setKnowledge(table, row, lesson.facts)
  return row
}

/** Replaces what a row knows. */
export function setKnowledge(table: Table, row: Row, knowledge: Knowledge): void {
  for (const [index, cell] of lineageOf(table).cells.entries()) row[cell] = itemAt(knowledge, index)
}

/** The lineage of a table whose rows learn from the rows below them. */
const lineageOf = ({ lineage, name }: Table): Lineage => present(lineage, `The lineage of table ${name}`)
