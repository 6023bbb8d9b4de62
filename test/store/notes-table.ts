import { type Cell, type Column, type ColumnType, columnIndex, type Row, type Table } from '../../src/lib/table.ts'

const column = (name: string, type: ColumnType, storedIn: Column['storedIn'] = 'everywhere'): Column => ({
  name,
  type,
  description: `the ${name} of a note`,
  storedIn,
})

const columns: readonly Column[] = [
  column('project', 'text'),
  column('id', 'text'),
  column('title', 'text'),
  column('author', 'text'),
  column('body', 'json'),
  column('tags', 'texts'),
  column('opened', 'time'),
  column('closed', 'time'),
  column('votes', 'integer'),
  column('touched', 'time'),
  column('whole', 'integer', 'wal'),
  column('removed', 'time', 'wal'),
  column('title_length', 'integer', 'files'),
]

/**
 * A small test table with a column of every kind: notes that are opened, changed, closed and
 * removed.
 */
export const notesTableNamed = (name: string): Table => ({
  name,
  columns,
  key: ['project', 'id'],
  merge: 'cells',
  order: ['project', 'opened', 'id'],
  bounded: ['project', 'id', 'author', 'opened', 'closed', 'votes'],
  filtered: ['id', 'author'],
  updatedAtColumn: 'touched',
  tombstoneColumn: 'removed',
  wholeColumn: 'whole',
  presenceColumn: 'title',
  completionColumn: 'closed',
  derive: (row) => {
    row[titleLength] = (row[title] as string | null)?.length ?? null
  },
  derivedOf: (note) => {
    const row: Row = []
    row[titleLength] = note.text(title)?.length ?? null
    return row
  },
})

export const notesTable = notesTableNamed('notes')

const title = columnIndex(notesTable, 'title')
const titleLength = columnIndex(notesTable, 'title_length')

/** A note as written in tests; omitted members are null. */
export interface Note {
  readonly project?: string
  readonly id: string
  readonly title?: string
  readonly author?: string
  readonly body?: string
  readonly tags?: readonly string[]
  readonly opened?: number
  readonly closed?: number
  readonly votes?: number
  /** Microseconds; by default the start of the test clock. */
  readonly touched?: number
  readonly removed?: number
}

/** Start of the test clock. */
export const startMs = Date.UTC(2024, 4, 1)

export function noteRow(note: Note): Row {
  const cells: Partial<Record<string, Cell>> = { project: 'p', touched: startMs * 1000, ...note }
  return columns.map(({ name }) => cells[name] ?? null)
}

/** A complete note. */
export const closedNote = (id: string, note: Omit<Note, 'id'> = {}): Row =>
  noteRow({ id, title: `title of ${id}`, opened: startMs * 1000, closed: startMs * 1000 + 5, ...note })

/** A note without its other half. */
export const openNote = (id: string, note: Omit<Note, 'id'> = {}): Row =>
  noteRow({ id, title: `title of ${id}`, opened: startMs * 1000, ...note })

export const removal = (id: string, touched = startMs * 1000): Row => noteRow({ id, removed: touched, touched })
