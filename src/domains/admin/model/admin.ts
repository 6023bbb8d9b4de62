import { type Static, Type } from '@sinclair/typebox'
import { Nullable, NullableInteger, NullableText, NullableTime, OpenObject } from '../../../formats/schemas/members.ts'
import { explorationLimits } from '../../../lib/limits/exploration.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { requestLimits } from '../../../lib/limits/requests.ts'
import { ProjectId } from '../../../lib/project-id.ts'
import { TimeText } from '../../../lib/time.ts'

const Role = Type.Union([Type.Literal('read'), Type.Literal('write'), Type.Literal('admin')])
const scope = 'Projects that it can access: `*`, an entity, or `entity/project`'
const Scope = Type.String({ description: scope })

/** An API key without its secret. */
const keyMembers = {
  id: Type.String({ description: 'The first 8 characters of the key; `ext_user_id` of records written with it' }),
  name: Type.String(),
  role: Role,
  scope: Scope,
  created_at: TimeText,
  revoked_at: NullableTime,
  expires_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'When the key stops working; null: never',
  }),
  replaced_by: Type.Union([Type.String(), Type.Null()], {
    description: 'Id of the key that `/keys/rotate` made of it',
  }),
}
export const ApiKey = Type.Object(keyMembers)
export type ApiKey = Static<typeof ApiKey>

export const ApiKeys = Type.Object({
  keys: Type.Array(
    Type.Composite([
      ApiKey,
      Type.Object({
        last_used_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
          description: 'Last request or session of the web UI with the key; null if it was never used',
        }),
        is_own: Type.Boolean({ description: 'Whether this request uses it' }),
      }),
    ]),
    { description: 'Oldest first. The key preset by TRACELAKE_ADMIN_KEY is not among them' },
  ),
})

export const ApiKeyCreate = OpenObject({
  name: Type.String({ description: '1 to 128 printable characters; shown as `ext_username`' }),
  role: Role,
  scope: Type.Optional(Type.String({ default: '*', description: scope })),
  expires_at: Nullable(Type.String({ format: 'date-time', description: 'When the key stops working; omitted: never' })),
})

const keyText = { key: Type.String({ description: 'The key itself: it is not returned again' }) }
export const CreatedApiKey = Type.Composite([ApiKey, Type.Object(keyText)])

export const ApiKeyRotate = OpenObject({
  id: Type.String({ maxLength: 64 }),
  overlap_seconds: Nullable(
    Type.Integer({
      minimum: 0,
      maximum: requestLimits.keyOverlapSecondsMax,
      default: 0,
      description: 'For how long the old key works beside the new one',
    }),
  ),
  expires_at: Nullable(
    Type.String({
      format: 'date-time',
      description: 'When the new key stops working; if omitted, it lasts as long as the old one was made for',
    }),
  ),
})

export const RotatedApiKey = Type.Composite([CreatedApiKey, Type.Object({ replaced: ApiKey })])

/** A provider secret without its value. */
export const SecretName = Type.Object({
  name: Type.String({ examples: ['OPENAI_API_KEY'] }),
  scope: Scope,
  hosts: Type.Array(Type.String(), { description: 'Hosts of custom providers that it may be sent to' }),
  updated_at: Type.String({ format: 'date-time', description: 'When its value was set' }),
})
export type SecretName = Static<typeof SecretName>
export const SecretNames = Type.Object({ secrets: Type.Array(SecretName) })

const secretPlace = { name: Type.String(), scope: Type.Optional(Type.String({ default: '*', description: scope })) }
export const SecretSet = OpenObject({
  ...secretPlace,
  hosts: Nullable(Type.Array(Type.String(), { maxItems: explorationLimits.secretHostsMax })),
  value: Type.String({ writeOnly: true, description: 'Stored encrypted and never returned' }),
})
export const SecretRemove = OpenObject(secretPlace)

const page = {
  limit: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: operationLimits.projectsListedMax,
      default: operationLimits.projectsListedDefault,
    }),
  ),
}

export const StorageRequest = OpenObject(page)

/** Storage used, by table, project and day. */
export const Storage = Type.Object({
  folder: Type.String({ description: 'Data folder' }),
  bytes: Type.Integer({ description: 'Sum of `tables`' }),
  disk_bytes: Type.Union([Type.Integer(), Type.Null()], { description: 'Size of the file system of the folder' }),
  disk_free_bytes: NullableInteger,
  measured_at: TimeText,
  tables: Type.Array(
    Type.Object({
      name: Type.String({ description: 'A table, or `uploads` for the contents of files' }),
      rows: Type.Integer({ description: 'Rows in its files' }),
      files: Type.Integer(),
      bytes: Type.Integer({ description: 'Bytes of its Parquet files' }),
      memory_rows: Type.Integer({ description: 'Rows in memory that are not in its files yet' }),
      memory_bytes: Type.Integer(),
      damaged_files: Type.Integer({ description: 'Files whose rows are not served' }),
    }),
  ),
  projects: Type.Array(
    Type.Object({
      project_id: Type.String(),
      calls: Type.Integer({ description: 'Number of calls' }),
      bytes: Type.Integer({ description: 'Sum of the following' }),
      call_bytes: Type.Integer(),
      object_bytes: Type.Integer(),
      table_row_bytes: Type.Integer(),
      file_bytes: Type.Integer(),
      disk_bytes: Type.Integer({
        description:
          'Estimated share of the data files: of the files of each of these tables, the share that the project has ' +
          'of the bytes sent to it; file contents in full',
      }),
    }),
    { description: 'Bytes as sent by clients, before compression; the largest projects first' },
  ),
  has_more: Type.Boolean({ description: 'Whether `limit` has left out projects' }),
  days: Type.Array(Type.Object({ day: Type.String({ format: 'date' }), bytes: Type.Integer() }), {
    description: 'Bytes of the calls written on each of the last 30 days (UTC), from the first with any',
  }),
})
export type Storage = Static<typeof Storage>

/** The configuration in effect. */
export const EffectiveSettings = Type.Object({
  version: Type.String(),
  runtime: Type.String({ examples: ['bun 1.4.5'] }),
  platform: Type.String({ examples: ['linux-x64'] }),
  started_at: Type.String({ format: 'date-time' }),
  settings: Type.Array(
    Type.Object({
      name: Type.String({ description: 'Environment variable', examples: ['TRACELAKE_PORT'] }),
      value: Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()], {
        description: 'Null if it is not set, or secret',
      }),
      is_secret: Type.Boolean(),
      source: Type.Union(
        [Type.Literal('option'), Type.Literal('environment'), Type.Literal('file'), Type.Literal('default')],
        {
          description:
            'Where the value comes from: a command line option, an environment variable, the configuration file, ' +
            'or none of them',
        },
      ),
    }),
  ),
})
export type EffectiveSettings = Static<typeof EffectiveSettings>

const JobState = Type.Union([
  Type.Literal('waiting'),
  Type.Literal('paused'),
  Type.Literal('completed'),
  Type.Literal('failed'),
  Type.Literal('cancelled'),
])

export const JobsRequest = OpenObject({
  project_id: Nullable(ProjectId),
  states: Nullable(Type.Array(JobState, { maxItems: 5 })),
  limit: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: explorationLimits.jobsListedMax,
      default: explorationLimits.jobsListedDefault,
    }),
  ),
})

/** A job of the server. */
export const JobShown = Type.Object({
  id: Type.String({ description: 'Also the id of the call that the job creates, if any' }),
  project_id: Type.String(),
  kind: Type.String({ description: '`evaluate_model`, `rescore`, `score_calls`, `backfill_rule` or `erase_project`' }),
  state: JobState,
  attempts: Type.Integer({ description: 'Failed attempts' }),
  progress: Type.Union(
    [
      Type.Object({
        done: Type.Integer({ description: 'Calls, for a backfill of a rule' }),
        total: Type.Union([Type.Integer(), Type.Null()], { description: 'null until it is known' }),
      }),
      Type.Null(),
    ],
    { description: 'How far it has come; null for kinds that do not say' },
  ),
  error: NullableText,
  ext_user_id: Type.String(),
  ext_username: Type.String(),
  created_at: TimeText,
  updated_at: Type.Union([TimeText, Type.Null()], {
    description: 'When its state last changed: when it ended, if it has',
  }),
})

export const JobList = Type.Object({
  jobs: Type.Array(JobShown, { description: 'Newest first. Waiting jobs may be running' }),
  has_more: Type.Boolean({ description: 'Whether `limit` has left out jobs' }),
  waiting: Type.Integer({ description: 'Waiting and running jobs of the whole server' }),
})
