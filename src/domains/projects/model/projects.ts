import { type Static, Type } from '@sinclair/typebox'
import { Nullable, NullableInteger, NullableTime, OpenObject } from '../../../formats/schemas/members.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'

/** Which projects to list. */
export const ProjectsRequest = OpenObject({
  prefix: Nullable(
    Type.String({
      maxLength: 2 * operationLimits.projectPartCharsMax + 1,
      description: 'Beginning of `entity/project`, or of the project alone, in upper or lower case',
    }),
  ),
  limit: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: operationLimits.projectsListedMax,
      default: operationLimits.projectsListedDefault,
      description: 'Maximum number of projects',
    }),
  ),
  include_storage_size: Nullable(Type.Boolean({ default: false, description: 'Include the bytes of the calls' })),
})
export type ProjectsRequest = Static<typeof ProjectsRequest>

const LastDay = Type.Object({
  calls: Type.Integer(),
  errors: Type.Integer({ description: 'Calls with the status `error`' }),
  cost: Type.Union([Type.Number(), Type.Null()], {
    description: 'Cost of the calls; null if none of them reports usage, or if computing it would have taken too long',
  }),
  hourly_calls: Type.Array(Type.Integer(), {
    description: 'Calls started in each of the 24 hours up to now, the oldest hour first',
    minItems: 24,
    maxItems: 24,
  }),
})

/** A project and its activity. */
export const ProjectSummary = Type.Object({
  project_id: Type.String(),
  calls: Type.Integer(),
  first_call_at: NullableTime,
  last_call_at: NullableTime,
  bytes: Type.Union(NullableInteger.anyOf, {
    description: 'Attributes, inputs, output and summary of all calls as sent; null unless requested',
  }),
  last_24h: LastDay,
})
export type ProjectSummary = Static<typeof ProjectSummary>

export const Projects = Type.Object({
  projects: Type.Array(ProjectSummary),
  has_more: Type.Boolean({ description: 'Whether `limit` left out some projects' }),
})
export type Projects = Static<typeof Projects>
