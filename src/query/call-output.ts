import type { Dialect } from '../dialect/dialect.ts'
import type { CallMember } from './columns.ts'

/** How a value is written; `json` is JSON text already. */
export type OutputType = 'text' | 'time' | 'integer' | 'json'

/** Names of members, of the server's own namespace and of built-in feedback types as the client knows them. */
export type OutputNames = Pick<Dialect, 'nameOf' | 'namespace' | 'feedbackPrefix'>

export interface OutputOptions extends OutputNames {
  readonly selected: ReadonlySet<CallMember>
  readonly storageSize: boolean
  readonly totalStorageSize: boolean
  /** The caller adds costs; the SQL says where (`summaryParts`) and of what usage. */
  readonly costs?: boolean
  /** `f.entries` holds the feedback of each call. */
  readonly feedback?: boolean
  /** Names by user id, where they are asked for. */
  readonly usernames: ReadonlyMap<string, string> | undefined
}

/** Members that are not plain text. */
export const outputTypes: Partial<Record<CallMember, OutputType>> = {
  started_at: 'time',
  ended_at: 'time',
  deleted_at: 'time',
  expire_at: 'time',
  attributes: 'json',
  inputs: 'json',
  output: 'json',
  summary: 'json',
  ext_run_step: 'integer',
  ext_run_step_end: 'integer',
  storage_size_bytes: 'integer',
  total_storage_size_bytes: 'integer',
}

/** Physical columns that the answer is made of. */
export function physicalColumns(options: OutputOptions): string[] {
  const { selected } = options
  const columns = new Set([
    'project_id',
    'id',
    'trace_id',
    'op_name',
    'started_at',
    'parent_id',
    'status',
    'latency_ms',
    'trace_name',
    'display_name',
  ])
  for (const member of selected) {
    if (member === 'attributes') columns.add('attributes').add('otel_dump')
    else if (!notStored.has(member)) columns.add(member)
  }
  if (options.storageSize) columns.add('payload_bytes')
  if (options.usernames) columns.add('ext_user_id')
  if (options.costs) columns.add('summary')
  return [...columns]
}

const notStored: ReadonlySet<CallMember> = new Set([
  'deleted_at',
  'expire_at',
  'ext_username',
  'storage_size_bytes',
  'total_storage_size_bytes',
])
