import type { Row } from '../../src/lib/table.ts'
import { columnIndex } from '../../src/lib/table.ts'
import { notesTable } from './notes-table.ts'
import type { VisibleRow } from './visible-rows.ts'

/** A straightforward model of a table of notes: the merged cells of each key. */
export class NotesModel {
  private readonly notes = new Map<string, Row>()

  /** A part: its non-null cells win; a removed note stays removed. */
  write(part: Row): void {
    const key = `${part[0]} ${part[1]}`
    const known = this.notes.get(key)
    if (known === undefined) this.notes.set(key, [...part])
    else if (known[removed] === null)
      this.notes.set(
        key,
        known.map((cell, index) => part[index] ?? cell),
      )
  }

  /** The notes of a project that have a title and are not removed, ordered by id. */
  visible(project: string): VisibleRow[] {
    return [...this.notes.values()]
      .filter((note) => note[0] === project && note[title] !== null && note[removed] === null)
      .sort((a, b) => (String(a[1]) < String(b[1]) ? -1 : 1))
      .map(asVisible)
  }
}

const removed = columnIndex(notesTable, 'removed')
const title = columnIndex(notesTable, 'title')

function asVisible(note: Row): VisibleRow {
  const cells = notesTable.columns.map(({ name }, index) => [name, note[index] ?? null] as const)
  const present = cells.filter(([, cell]) => cell !== null)
  return { ...Object.fromEntries(present), title_length: String(note[title]).length }
}
