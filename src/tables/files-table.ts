import { column, replaceTable } from '../kernel/table.ts'

/** Which project holds which file: a row for each, never changed. The bytes lie in `blobs/`, under the digest. */
export const filesTable = replaceTable({
  name: 'files',
  id: 'digest',
  columns: [
    column('digest', 'text', 'SHA-256 of the bytes in URL-safe base64, with X for "-" and Y for "_"'),
    column('name', 'text', 'name that the file was first sent under'),
    column('size_bytes', 'integer', 'length of the content'),
    column('ext_user_id', 'text', 'id of the API key that sent the file first'),
    column('created_at', 'time', 'when the server first accepted the file, UTC'),
  ],
  order: ['project_id', 'digest'],
  bounded: ['project_id', 'digest', 'created_at'],
  filtered: ['digest'],
  presenceColumn: 'digest',
})
