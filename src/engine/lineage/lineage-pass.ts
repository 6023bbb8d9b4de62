import { BatchRow } from '../../lib/batch-row.ts'
import { present, valueAt } from '../../lib/present.ts'
import {
  type CellReader,
  cellReader,
  columnIndex,
  type Lineage,
  mergeParts,
  type Row,
  type Table,
} from '../../lib/table.ts'
import { TimeSlice } from '../../runtime/platform/event-loop.ts'
import { type RowKey, rowKey } from '../row-key.ts'
import { type KnownRows, type Lesson, Lessons, setKnowledge } from './lessons.ts'

/** A row that is being moved. */
interface MovedRow {
  /** In memory, or in its batch. */
  content: Row | BatchRow
  /** The derived cells of a row in a batch. */
  derived: Row | undefined
}

/**
 * Passes facts from rows that are being moved into the memtable's table to the rows above them.
 * Rows above that are moved at the same time receive them at once; for all others the pass collects
 * parts, to be moved next. See docs/decisions/197-errors-inside.md.
 */
export class LineagePass {
  /** Facts for rows outside this pass. */
  readonly forOthers = new Lessons()
  /** Keys of rows in batches that have become rows in memory. */
  readonly unbatched = new Map<RowKey, Row>()
  private readonly table: Table
  private readonly lineage: Lineage
  private readonly moved = new Map<RowKey, MovedRow>()
  /** Rows that pass nothing on unless they receive a fact. */
  private readonly silent = new Map<RowKey, BatchRow>()
  private readonly known: KnownRows
  private readonly projectCell: number
  private readonly touchedCell: number
  private readonly presenceCell: number
  private readonly sources = new Set<MovedRow>()
  private readonly taught = new Set<RowKey>()
  private readonly learned = new Set<RowKey>()

  constructor(table: Table, lineage: Lineage, known: KnownRows) {
    this.table = table
    this.lineage = lineage
    this.known = known
    this.projectCell = columnIndex(table, table.key[0])
    this.presenceCell = columnIndex(table, table.presenceColumn)
    this.touchedCell = columnIndex(table, table.updatedAtColumn)
  }

  /**
   * Lays a part over the stored row. What it says of the rows below replaces what was known; so
   * does a start that names another tree than the rows that were below it.
   */
  merge(key: RowKey, stored: Row | undefined, part: Row): Row {
    const { tree, cells } = this.lineage
    if (cells.some((cell) => part[cell] !== null)) this.known.forget(key)
    if (stored === undefined) return part
    const isOther = stored[this.presenceCell] === null && (part[tree] ?? stored[tree]) !== stored[tree]
    const base = [...stored]
    if (isOther) for (const cell of cells) base[cell] = null
    return mergeParts(this.table, base, part)
  }

  /** A row, with its derived cells if it can be shown, and what it has to learn. */
  addRow(key: RowKey, row: Row, lessons: readonly Lesson[] = []): void {
    const moved: MovedRow = { content: row, derived: undefined }
    this.moved.set(key, moved)
    for (const { id, tree, facts } of lessons) this.teach(key, moved, { id, tree, facts })
  }

  addBatchRow(key: RowKey, batch: BatchRow, derived: Row | undefined): void {
    // A batch already contains the facts that its rows pass to each other.
    if (batch.hasDerived && !batch.hasFactsForOthers) this.silent.set(key, batch)
    else this.moved.set(key, { content: batch, derived })
  }

  /** Call when all rows are added. */
  async run(): Promise<void> {
    const slice = new TimeSlice()
    for (const moved of this.moved.values()) {
      if (slice.expired) await slice.yield()
      this.passToAncestors(moved)
    }
  }

  /** The same without a pause. */
  runAtOnce(): void {
    for (const moved of this.moved.values()) this.passToAncestors(moved)
  }

  private passToAncestors(moved: MovedRow): void {
    for (let source: MovedRow | undefined = moved; source !== undefined; ) source = this.passToParent(source)
  }

  /** Call when everything is stored. */
  settle(): void {
    for (const key of this.taught) {
      const moved = valueAt(this.moved, key)
      this.known.set(key, this.treeOf(moved), this.lineage.known(readerOf(moved)))
    }
  }

  /** Returns the parent if it is among the rows and has learned something. */
  private passToParent(source: MovedRow): MovedRow | undefined {
    const { lineage } = this
    const row = readerOf(source)
    const parentId = row.text(lineage.parent)
    if (parentId === null) return undefined
    const facts = lineage.factsForParent(row, source.derived === undefined ? row : cellReader(source.derived))
    if (facts === undefined) return undefined
    const tree = row.text(lineage.tree)
    const project = present(row.text(this.projectCell), 'The project of a row')
    const key = rowKey(project, parentId)
    const parent = this.moved.get(key) ?? this.silentRow(key)
    if (parent !== undefined) return this.teach(key, parent, { id: parentId, tree, facts }) ? parent : undefined
    this.sources.add(source)
    if (!this.known.isNewFor(key, tree, (known) => lineage.learn(parentId, known, facts) !== known)) return undefined
    const lesson = { project, id: parentId, tree, touched: row.number(this.touchedCell), facts }
    this.forOthers.add(this.table, key, lesson)
    return undefined
  }

  private silentRow(key: RowKey): MovedRow | undefined {
    const batch = this.silent.get(key)
    if (batch === undefined) return undefined
    const moved = { content: batch, derived: undefined }
    this.moved.set(key, moved)
    return moved
  }

  /** Whether a row knows more than it did. */
  hasLearned(key: RowKey): boolean {
    return this.learned.has(key)
  }

  /** Whether any row passed a fact to a row outside this pass. */
  get havePassedFactsOn(): boolean {
    return this.sources.size > 0
  }

  /** Whether this row did. */
  hasPassedFactsOn(key: RowKey): boolean {
    const moved = this.moved.get(key)
    return moved !== undefined && this.sources.has(moved)
  }

  private teach(key: RowKey, parent: MovedRow, { id, tree, facts }: Pick<Lesson, 'id' | 'tree' | 'facts'>): boolean {
    this.taught.add(key)
    const row = parent.content instanceof BatchRow ? undefined : parent.content
    const isShown = row === undefined || row[this.presenceCell] !== null
    if (!isShown) row[this.lineage.tree] ??= tree
    if (this.treeOf(parent) !== tree) return false
    const known = this.lineage.known(readerOf(parent))
    const learned = this.lineage.learn(id, known, facts)
    if (learned === known) return false
    this.learned.add(key)
    if (row === undefined) {
      const changed = this.unbatch(key, parent)
      setKnowledge(this.table, changed, learned)
      this.table.derive(changed)
    } else {
      setKnowledge(this.table, row, learned)
      if (isShown) this.lineage.deriveKnown(row)
    }
    return true
  }

  /** Makes a row in a batch a row in memory, which can be changed. */
  private unbatch(key: RowKey, moved: MovedRow): Row {
    const row = toRow(moved.content)
    moved.content = row
    moved.derived = undefined
    this.unbatched.set(key, row)
    return row
  }

  private treeOf(moved: MovedRow): string | null {
    return readerOf(moved).text(this.lineage.tree)
  }
}

const toRow = (content: Row | BatchRow): Row => (content instanceof BatchRow ? content.toRow() : content)

const readerOf = ({ content }: MovedRow): CellReader => (content instanceof BatchRow ? content : cellReader(content))
