import { expect, test } from 'bun:test'
import type { StartedCall } from '../../formats/schemas/calls.ts'
import { integer, json, text, texts, time } from './columns.ts'
import { defineTable, type RowOf } from './define-table.ts'
import { fillMembers, membersFrom } from './members.ts'

const checkMood = (_: string, mood: string | null | undefined) => mood ?? null

const notes = defineTable({
  name: 'notes',
  description: 'Notes.',
  columns: {
    id: text('id'),
    title: text('title', { bounds: true, bloom: true }),
    mood: text('mood', { nullable: true, start: checkMood }),
    tags: texts('tags'),
    length: integer('length', { derived: true }),
    created_at: time('creation'),
  },
  id: 'id',
  order: ['created_at'],
  presence: 'title',
})

const note = { project_id: 'p', id: 'a', title: 'A', mood: null, tags: ['x'], created_at: 1 }

test('cells are at the positions of their columns', () => {
  const row = notes.row(note)
  expect(row).toHaveLength(notes.columns.length)
  expect([row[notes.at.id], row[notes.at.tags], row[notes.at.length]]).toEqual(['a', ['x'], null])
  expect(notes.columns.map(({ name }) => name).at(-1)).toBe('deleted_at')
})

test('a tombstone has the key and the time', () => {
  expect(notes.tombstone('p', 'a', 7)).toEqual(['p', 'a', null, null, null, null, 7, 7])
})

test('selected cells are accessed by name', () => {
  const selection = notes.select('title', 'mood')
  const read: { readonly title: string; readonly mood: string | null } = selection.read(['A', null])
  expect(read).toEqual({ title: 'A', mood: null })
  expect(selection.columns).toEqual(['title', 'mood'])
})

test('the options of a column determine its statistics and filters', () => {
  expect(notes.bounded).toEqual(['project_id', 'id', 'title'])
  expect(notes.filtered).toEqual(['id', 'title'])
  expect(notes.columns.filter(({ storedIn }) => storedIn === 'files').map(({ name }) => name)).toEqual(['length'])
})

/** Never called: each line below an `expect-error` must not compile, or the type check fails. */
export function doesNotCompile(): void {
  const { mood: _mood, ...withoutMood } = note
  // @ts-expect-error a column is missing
  notes.row(withoutMood)
  // @ts-expect-error there is no such column
  notes.row({ ...note, titel: 'A' })
  // @ts-expect-error a derived column cannot be written
  notes.row({ project_id: 'p', id: 'a', title: 'A', mood: null, tags: [], created_at: 1, length: 1 })
  // @ts-expect-error the column is not nullable
  notes.row({ ...note, title: null })
  // @ts-expect-error the column holds a list
  notes.row({ ...note, tags: 'x' })
  // @ts-expect-error there is no such column
  void notes.at.titel
  // @ts-expect-error there is no such column
  notes.select('titel')
  // @ts-expect-error the cell may be null
  const mood: string = notes.select('mood').read([null]).mood
  // @ts-expect-error a row type lacks a member
  const row: RowOf<typeof notes> = { ...withoutMood, length: 1 }
  // @ts-expect-error a start of a call has no such member
  fillMembers([], membersFrom(notes, 'start'), {} as StartedCall)
  // @ts-expect-error there is no such column to sort by
  defineTable({ name: '', description: '', columns: { id: json('') }, id: 'id', order: ['at'], presence: 'id' })
  // @ts-expect-error there is no such option
  text('', { nulable: true })
  void [mood, row]
}
