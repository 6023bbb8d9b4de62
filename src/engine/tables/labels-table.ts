import { text, time } from './columns.ts'
import { defineTable } from './define-table.ts'
import { objectsTable } from './objects-table.ts'

export const labelsTable = defineTable({
  name: 'object_labels',
  description: 'Tags and aliases of object versions, and further digests that clients know versions by.',
  columns: {
    id: text('tag/object_id/digest/name, alias/object_id/name or digest/object_id/name'),
    type: text('tag, alias or digest'),
    object_id: text('object whose version has the label', { bounds: true, bloom: true }),
    digest: text('digest of the version'),
    name: text('the tag, the alias, or the digest of the content with refs as they were sent'),
    ext_user_id: text('id of the API key that set the label'),
    created_at: time('when the label was set'),
  },
  id: 'id',
  order: ['object_id', 'id'],
  presence: 'type',
  refersTo: [objectsTable],
})
