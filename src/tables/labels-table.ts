import { column, replaceTable } from '../kernel/table.ts'

/** Tags and aliases of versions, and digests that clients know them by: one row a label. */
export const labelsTable = replaceTable({
  name: 'object_labels',
  columns: [
    column('id', 'text', 'tag/object_id/digest/name, alias/object_id/name or digest/object_id/name'),
    column('type', 'text', 'tag, alias or digest'),
    column('object_id', 'text', 'object whose version has the label'),
    column('digest', 'text', 'digest of the version'),
    column('name', 'text', 'the tag, the alias, or the digest of the content with refs as they were sent'),
    column('ext_user_id', 'text', 'id of the API key that set the label'),
    column('created_at', 'time', 'when the label was set, UTC'),
  ],
  order: ['project_id', 'object_id', 'id'],
  bounded: ['project_id', 'id', 'object_id'],
  filtered: ['id', 'object_id'],
  presenceColumn: 'type',
})
