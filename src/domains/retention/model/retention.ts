import { type Static, Type } from '@sinclair/typebox'
import { Nullable, NullableText, NullableTime, OpenObject } from '../../../formats/schemas/members.ts'
import { explorationLimits } from '../../../lib/limits/exploration.ts'
import { ProjectId } from '../../../lib/project-id.ts'

const RetentionDays = Type.Union([Type.Integer(), Type.Null()], {
  description:
    'Days for which calls, log records and metrics are kept, counted from their start; at least 1, or null for ever',
})

export const RetentionSet = OpenObject({ project_id: ProjectId, retention_days: RetentionDays })

export const RetentionRead = OpenObject({ project_id: ProjectId })

/** For how long a project keeps its calls. */
export const RetentionPolicy = Type.Object({
  project_id: Type.String(),
  retention_days: RetentionDays,
  updated_at: NullableTime,
  ext_user_id: Type.Union([Type.String(), Type.Null()], { description: 'User who set it; null if it was never set' }),
  ext_username: NullableText,
})
export type RetentionPolicy = Static<typeof RetentionPolicy>

const Expired = (what: string) =>
  Type.Object({
    expired: Type.Integer({ description: `${what} that would be deleted` }),
    all: Type.Integer(),
  })

export const RetentionTry = OpenObject({
  project_id: ProjectId,
  retention_days: Type.Integer({ description: 'Days, as in `/retention/set`' }),
})

/** What a retention would delete now. */
export const RetentionTried = Type.Object({
  project_id: Type.String(),
  retention_days: Type.Integer(),
  before: Type.String({ format: 'date-time', description: 'What is from before this time would be deleted' }),
  calls: Expired('Calls'),
  log_records: Expired('Log records'),
  metric_points: Expired('Points of metrics'),
})
export type RetentionTried = Static<typeof RetentionTried>

export const ProjectErase = OpenObject({ project_id: ProjectId })

export const ErasuresRequest = OpenObject({
  project_id: Nullable(ProjectId),
  limit: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: explorationLimits.jobsListedMax,
      default: explorationLimits.jobsListedDefault,
    }),
  ),
})

/** The erasure of a project. */
export const Erasure = Type.Object({
  id: Type.String({ description: 'Also the id of its job' }),
  project_id: Type.String(),
  state: Type.Union([Type.Literal('running'), Type.Literal('completed'), Type.Literal('failed')], {
    description: 'While it is running, the project appears empty and refuses writes',
  }),
  error: Type.Union([Type.String(), Type.Null()], { description: 'Why it failed' }),
  rows: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Rows removed from data files since the start of the server; null if it did not run since then',
  }),
  table: Type.Union([Type.String(), Type.Null()], { description: 'The table being processed' }),
  files_left: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Data files of that table that remain to be examined',
  }),
  requested_at: Type.String({ format: 'date-time' }),
  finished_at: NullableTime,
  gone_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'When no file of the data folder contains anything of the project any more, at the latest',
  }),
  ext_user_id: Type.String(),
  ext_username: Type.String(),
})
export type Erasure = Static<typeof Erasure>

export const ErasureList = Type.Object({ erasures: Type.Array(Erasure, { description: 'The newest first' }) })
