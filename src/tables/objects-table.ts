import { column, replaceTable } from '../kernel/table.ts'

/** Versions of objects and ops, deleted ones included: they keep their number. One row a version. */
export const objectsTable = replaceTable({
  name: 'objects',
  columns: [
    column('id', 'text', 'object_id:digest, unique in its project'),
    column('object_id', 'text', 'name that the versions share'),
    column('digest', 'text', 'digest of the content'),
    column('kind', 'text', 'op or object'),
    column('base_object_class', 'text', 'class below the common base classes; null for content without a class'),
    column('leaf_object_class', 'text', 'class of the content itself; null for content without a class'),
    column('version_index', 'integer', 'number of the version among those of its kind and name, from 0'),
    column('val', 'json', 'JSON value: the content; null once the version is deleted'),
    column('size_bytes', 'integer', 'bytes of the content as JSON'),
    column('ext_user_id', 'text', 'id of the API key that made the version'),
    column('created_at', 'time', 'when the version was first made, UTC'),
    column('latest_at', 'time', 'when the version last became the latest one, UTC'),
    column('deleted_at', 'time', 'when the version was deleted, UTC; null while it is there'),
    column('written_at', 'time', 'when the server last accepted something for the version, UTC'),
  ],
  order: ['project_id', 'object_id', 'version_index'],
  bounded: ['project_id', 'id', 'object_id', 'created_at'],
  filtered: ['id', 'object_id'],
  updatedAtColumn: 'written_at',
  tombstoneColumn: 'purged_at',
  presenceColumn: 'object_id',
})
