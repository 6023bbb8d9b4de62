import { type Static, Type } from '@sinclair/typebox'
import { SortBy } from '../../../formats/schemas/calls.ts'
import { Nullable, NullableInteger, NullableText, NullableTime, OpenObject } from '../../../formats/schemas/members.ts'
import { ProjectId } from '../../../lib/project-id.ts'
import { TimeText } from '../../../lib/time.ts'

const texts = (description: string) => Nullable(Type.Array(Type.String(), { description }))
const flag = (description: string) => Nullable(Type.Boolean({ description }))

/** Content of a new version. */
export const ObjectCreate = OpenObject({
  project_id: ProjectId,
  object_id: Type.String({ description: 'Object name, shared by all versions' }),
  val: Type.Unknown({ description: 'Any JSON value' }),
  builtin_object_class: Nullable(
    Type.String({ description: 'Built-in class that `val` is validated against and completed by' }),
  ),
  set_base_object_class: Nullable(Type.String({ description: 'Deprecated name of `builtin_object_class`' })),
  expected_digest: Nullable(
    Type.String({ description: 'Digest computed by the client; a mismatch is rejected with 409' }),
  ),
  expected_latest_digest: Nullable(
    Type.String({
      description:
        'Digest of the latest version that the client knows, empty for none; if another version is the latest, ' +
        'the request is rejected with 409 and nothing is stored',
    }),
  ),
  ext_user_id: Nullable(Type.String({ description: 'Set by the server' })),
})
export type ObjectCreate = Static<typeof ObjectCreate>

/** One version of an object or op. */
export const ObjectVersion = Type.Object({
  project_id: Type.String(),
  object_id: Type.String(),
  created_at: TimeText,
  deleted_at: NullableTime,
  digest: Type.String(),
  version_index: Type.Integer(),
  is_latest: Type.Integer({ description: '1 for the latest version, else 0' }),
  kind: Type.String({ description: '`op` or `object`' }),
  base_object_class: NullableText,
  leaf_object_class: NullableText,
  val: Type.Unknown(),
  ext_user_id: NullableText,
  size_bytes: NullableInteger,
  tags: Type.Union([Type.Array(Type.String()), Type.Null()]),
  aliases: Type.Union([Type.Array(Type.String()), Type.Null()]),
})
export type ObjectVersion = Static<typeof ObjectVersion>

const ObjectVersionFilter = OpenObject({
  base_object_classes: texts('Base classes to include'),
  exclude_base_object_classes: texts('Base classes to exclude'),
  leaf_object_classes: texts('Leaf classes to include'),
  object_ids: texts('Object names to include'),
  is_op: flag('true for ops only, false for objects only'),
  latest_only: flag('Only the latest version of each object'),
  tags: texts('Only versions with one of these tags'),
  aliases: texts('Only versions that one of these aliases points to'),
})

const metadata_only = flag('Omit the content; `val` is then an empty object')
const include_tags_and_aliases = flag('Include `tags` and `aliases`')

export const ObjectsRequest = OpenObject({
  project_id: ProjectId,
  filter: Nullable(ObjectVersionFilter),
  limit: Nullable(Type.Integer()),
  offset: Nullable(Type.Integer()),
  sort_by: Nullable(Type.Array(SortBy, { description: 'By `object_id` or `created_at`' })),
  metadata_only,
  include_storage_size: flag('Include `size_bytes`'),
  include_tags_and_aliases,
})
export type ObjectsRequest = Static<typeof ObjectsRequest>

export const ObjectRead = OpenObject({
  project_id: ProjectId,
  object_id: Type.String(),
  digest: Type.String({ description: 'Digest, `latest`, `v<number>` or alias' }),
  metadata_only,
  include_tags_and_aliases,
})
export type ObjectRead = Static<typeof ObjectRead>

export const DeletedVersion = Type.Object({
  digest: Type.String(),
  base_object_class: NullableText,
  leaf_object_class: NullableText,
})
export type DeletedVersion = Static<typeof DeletedVersion>
