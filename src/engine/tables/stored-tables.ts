import { MiB } from '../../lib/bytes.ts'
import { integer, json, text, texts, time } from './columns.ts'
import { defineTable } from './define-table.ts'
import { filesTable } from './files-table.ts'

export const tableRows = defineTable({
  name: 'table_rows',
  description:
    'Rows of datasets and other tables that clients create: each once per project, however many tables contain ' +
    'it; never changed.',
  columns: {
    digest: text('digest of the row'),
    val: json('JSON object: the row as it was first sent'),
    size_bytes: integer('size of the row as JSON'),
    seq: integer('increases from row to row; rows of one request are adjacent', { bounds: true }),
    created_at: time('when the server accepted the row'),
  },
  id: 'digest',
  // Not by digest: tables are read in the order in which their rows were stored.
  order: ['seq'],
  presence: 'val',
  refersTo: [filesTable],
})

export const tableChunks = defineTable({
  name: 'table_chunks',
  description: 'Runs of a few thousand row digests. Tables with a common prefix share chunks; never changed.',
  columns: {
    digest: text('digest of a table of exactly these rows'),
    row_digests: texts('digests of the rows, in order'),
    size_bytes: integer('size of the rows as JSON; null if not all were known when the chunk was created', {
      nullable: true,
    }),
    seq_min: integer('smallest `seq` of the rows; null if not all were known', { nullable: true }),
    seq_max: integer('largest `seq` of the rows; null if not all were known', { nullable: true }),
    created_at: time('when the chunk was created', { bounds: true }),
  },
  id: 'digest',
  order: ['created_at', 'digest'],
  presence: 'row_digests',
  // A few chunks are read at a time, of which a table may have hundreds in no order.
  rowGroupBytes: MiB,
  refersTo: [tableRows],
})

export const tableLists = defineTable({
  name: 'table_lists',
  description: 'Tables that clients create, as lists of chunks. Written after everything they point at.',
  columns: {
    digest: text('digest of the table'),
    row_count: integer('number of rows'),
    chunks: json('JSON array of [digest of a chunk, number of its rows], in order'),
    is_complete: integer('1 if all rows were stored when the table was created, else 0'),
    ext_user_id: text('id of the API key that created the table first'),
    created_at: time('when the table was created', { bounds: true }),
  },
  id: 'digest',
  order: ['digest'],
  presence: 'chunks',
  refersTo: [tableChunks],
})
