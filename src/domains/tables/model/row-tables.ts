import { type Static, Type } from '@sinclair/typebox'
import { SortBy } from '../../../formats/schemas/calls.ts'
import { FreeObject, Nullable, OpenObject } from '../../../formats/schemas/members.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { requestLimits } from '../../../lib/limits/requests.ts'
import { ProjectId } from '../../../lib/project-id.ts'

const Digest = Type.String({ maxLength: operationLimits.idCharsMax })
const expected_digest = Nullable(
  Type.String({ description: 'Table digest computed by the client; a mismatch is rejected with 409' }),
)

/** Rows as sent by users: JSON objects. */
const Rows = Type.Array(FreeObject)

export const TableCreate = OpenObject({
  table: OpenObject({ project_id: ProjectId, rows: Rows, expected_digest }),
})

export const TableReceipt = Type.Object({
  digest: Type.String({ description: 'Table digest, 64 hexadecimal digits' }),
  row_digests: Type.Array(Type.String(), { description: 'Row digests, in order' }),
})

export const TableFromDigests = OpenObject({
  project_id: ProjectId,
  row_digests: Type.Array(Type.String()),
  expected_digest,
})

const Index = Type.Integer({ description: '0-based position in the table after the preceding updates' })

export const TableUpdate = Type.Union([
  OpenObject({ append: OpenObject({ row: FreeObject }) }),
  OpenObject({ pop: OpenObject({ index: Index }) }),
  OpenObject({ insert: OpenObject({ index: Index, row: FreeObject }) }),
])
export type TableUpdate = Static<typeof TableUpdate>

export const TableUpdates = OpenObject({
  project_id: ProjectId,
  base_digest: Digest,
  updates: Type.Array(TableUpdate),
})

export const TableUpdated = Type.Object({
  digest: Type.String({ description: 'Digest of the new table' }),
  updated_row_digests: Type.Array(Type.String(), {
    description: 'For each update, the digest of the added or removed row',
  }),
})

export const TableQuery = OpenObject({
  project_id: ProjectId,
  digest: Digest,
  filter: Nullable(OpenObject({ row_digests: Nullable(Type.Array(Type.String())) })),
  limit: Nullable(Type.Integer()),
  offset: Nullable(Type.Integer()),
  sort_by: Nullable(Type.Array(SortBy)),
})
export type TableQuery = Static<typeof TableQuery>
export type TableRowsRequest = Omit<TableQuery, 'project_id'>

export const TableRowOut = Type.Object({
  digest: Type.String(),
  val: Type.Unknown({ description: 'The row as stored' }),
  original_index: Type.Integer({
    description: '0-based position in the table, independent of the order of the response',
  }),
})

export const TableStatsRequest = OpenObject({ project_id: ProjectId, digest: Digest })

export const TableStatsBatchRequest = OpenObject({
  project_id: ProjectId,
  digests: Nullable(Type.Array(Digest, { maxItems: requestLimits.tableStatsMax })),
  include_storage_size: Nullable(Type.Boolean()),
})

export const TableStats = Type.Object({
  count: Type.Integer(),
  digest: Type.String(),
  storage_size_bytes: Type.Union([Type.Integer({ description: 'Size of all rows as JSON, in bytes' }), Type.Null()]),
})
export type TableStats = Static<typeof TableStats>
