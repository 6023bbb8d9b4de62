import { integer, json, text, time } from './columns.ts'
import { defineTable } from './define-table.ts'
import { filesTable } from './files-table.ts'
import { tableLists } from './stored-tables.ts'

export const objectsTable = defineTable({
  name: 'objects',
  description: 'Versions of objects and ops. A deleted version keeps its row and its number.',
  columns: {
    id: text('object_id:digest, unique within its project'),
    object_id: text('name shared by all versions of the object', { bounds: true, bloom: true }),
    digest: text('digest of the content'),
    kind: text('op or object'),
    base_object_class: text('class directly below the common base classes; null if the content has no class', {
      nullable: true,
    }),
    leaf_object_class: text('class of the content; null if it has none', { nullable: true }),
    version_index: integer('version number among those of its kind and name, from 0'),
    val: json('JSON value: the content; null once the version is deleted', { nullable: true }),
    size_bytes: integer('size of the content as JSON'),
    ext_user_id: text('id of the API key that created the version', { nullable: true }),
    created_at: time('when the version was first created', { bounds: true }),
    latest_at: time('when the version last became the latest'),
    deleted_at: time('when the version was deleted; null until then', { nullable: true }),
    written_at: time('when the server last accepted a write for the version'),
  },
  id: 'id',
  order: ['object_id', 'version_index'],
  presence: 'object_id',
  updatedAt: 'written_at',
  tombstone: 'purged_at',
  refersTo: [filesTable, tableLists],
})

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
