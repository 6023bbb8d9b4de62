import { type Static, Type } from '@sinclair/typebox'
import { ProjectId } from '../kernel/project-id.ts'
import { Time } from '../kernel/time.ts'
import { SortBy } from './calls.ts'
import { Nullable, OpenObject } from './nullable.ts'

/** A query of threads. */
export const ThreadsRequest = OpenObject({
  project_id: ProjectId,
  filter: Nullable(
    OpenObject({
      after_datetime: Nullable(Time),
      before_datetime: Nullable(Time),
      thread_ids: Nullable(Type.Array(Type.String())),
    }),
  ),
  limit: Nullable(Type.Integer()),
  offset: Nullable(Type.Integer()),
  sort_by: Nullable(Type.Array(SortBy)),
})
export type ThreadsRequest = Static<typeof ThreadsRequest>
