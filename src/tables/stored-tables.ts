import { column, replaceTable } from '../kernel/table.ts'

/** Rows that tables are made of: each once in a project, however many tables hold it. Never changed. */
export const tableRows = replaceTable({
  name: 'table_rows',
  id: 'digest',
  columns: [
    column('digest', 'text', 'digest of the row'),
    column('val', 'json', 'JSON object: the row as it was first sent'),
    column('size_bytes', 'integer', 'bytes of the row as JSON'),
    column('seq', 'integer', 'grows from row to row; rows of one request are neighbours'),
    column('created_at', 'time', 'when the server accepted the row, UTC'),
  ],
  // Not by digest: tables are read in the order in which their rows came.
  order: ['project_id', 'seq'],
  bounded: ['project_id', 'digest', 'seq'],
  filtered: ['digest'],
  presenceColumn: 'val',
})

/** Stretches of tables: the digests of some thousand rows in order. Tables that begin alike share them. Never changed. */
export const tableChunks = replaceTable({
  name: 'table_chunks',
  id: 'digest',
  columns: [
    column('digest', 'text', 'digest of a table of just these rows'),
    column('row_digests', 'texts', 'digests of the rows in order'),
    column('size_bytes', 'integer', 'bytes of the rows as JSON; null where not all were known when the chunk was made'),
    column('seq_min', 'integer', 'smallest `seq` of the rows; null where not all were known'),
    column('seq_max', 'integer', 'largest `seq` of the rows; null where not all were known'),
    column('created_at', 'time', 'when the chunk was made, UTC'),
  ],
  order: ['project_id', 'created_at', 'digest'],
  bounded: ['project_id', 'digest', 'created_at'],
  filtered: ['digest'],
  presenceColumn: 'row_digests',
})

/** Tables: which chunks they are made of. Written after everything that they point at. */
export const tableLists = replaceTable({
  name: 'table_lists',
  id: 'digest',
  columns: [
    column('digest', 'text', 'digest of the table'),
    column('row_count', 'integer', 'number of rows'),
    column('chunks', 'json', 'JSON list of [digest of a chunk, number of its rows], in order'),
    column('is_complete', 'integer', '1 where all rows were there when the table was made, else 0'),
    column('ext_user_id', 'text', 'id of the API key that made the table first'),
    column('created_at', 'time', 'when the table was made, UTC'),
  ],
  order: ['project_id', 'digest'],
  bounded: ['project_id', 'digest', 'created_at'],
  filtered: ['digest'],
  presenceColumn: 'chunks',
})
