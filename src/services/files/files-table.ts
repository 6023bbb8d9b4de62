import { column, type Table } from '../../model/table.ts'

/** Which project holds which file: a row for each, never changed. The bytes lie in `blobs/`, under the digest. */
export const filesTable: Table = {
  name: 'files',
  columns: [
    column('project_id', 'text', 'entity/project'),
    column('digest', 'text', 'SHA-256 of the bytes in URL-safe base64, with X for "-" and Y for "_"'),
    column('name', 'text', 'name that the file was first sent under'),
    column('size_bytes', 'integer', 'length of the content'),
    column('ext_user_id', 'text', 'id of the API key that sent the file first'),
    column('created_at', 'time', 'when the server first accepted the file, UTC'),
    column('deleted_at', 'time', 'marks a removal', 'log'),
  ],
  key: ['project_id', 'digest'],
  merge: 'row',
  order: ['project_id', 'digest'],
  bounded: ['project_id', 'digest', 'created_at'],
  filtered: ['digest'],
  touched: 'created_at',
  tombstone: 'deleted_at',
  visible: 'digest',
  finished: 'created_at',
  derive: () => {},
}
