import { type Static, Type } from '@sinclair/typebox'
import { ProjectId } from '../../lib/project-id.ts'
import { QueryExpression, SortBy } from './calls.ts'
import { Nullable, OpenObject } from './members.ts'

/** A query of a small table: prices, feedback. */
export const RecordsRequest = OpenObject({
  project_id: ProjectId,
  fields: Nullable(Type.Array(Type.String())),
  query: Type.Optional(QueryExpression),
  sort_by: Nullable(Type.Array(SortBy)),
  limit: Nullable(Type.Integer()),
  offset: Nullable(Type.Integer()),
})
export type RecordsRequest = Static<typeof RecordsRequest>

/** A query that selects the ids to purge. */
export const PurgeRequest = OpenObject({ project_id: ProjectId, query: QueryExpression })
export type PurgeRequest = Static<typeof PurgeRequest>
