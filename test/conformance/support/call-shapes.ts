/** Members of a call that a client may send. Start and end each take their own. */
export interface CallDraft {
  id?: string
  op_name?: string
  display_name?: string | null
  trace_id?: string
  parent_id?: string | null
  thread_id?: string | null
  turn_id?: string | null
  started_at?: string | number
  attributes?: Record<string, unknown>
  inputs?: Record<string, unknown>
  otel_dump?: Record<string, unknown> | null
  ext_run_id?: string | null
  ext_run_step?: number | null
  /** null leaves the call running. */
  ended_at?: string | number | null
  exception?: string | null
  output?: unknown
  summary?: Record<string, unknown>
  ext_run_step_end?: number | null
}

/** A call as the server answers it. */
export interface CallRecord {
  id: string
  project_id: string
  op_name: string
  display_name: string | null
  trace_id: string
  parent_id: string | null
  thread_id: string | null
  turn_id: string | null
  started_at: string
  attributes: Record<string, unknown>
  inputs: Record<string, unknown>
  ended_at: string | null
  exception: string | null
  output: unknown
  summary: { ext: Record<string, unknown> } & Record<string, unknown>
  ext_user_id: string | null
  ext_username?: string
  ext_run_id: string | null
  ext_run_step: number | null
  ext_run_step_end: number | null
  deleted_at: string | null
  storage_size_bytes: number | null
  total_storage_size_bytes: number | null
}

export const defaultStartedAt = '2024-05-01T10:00:00Z'
export const defaultEndedAt = '2024-05-01T10:00:01Z'

const startMembers = [
  'id',
  'op_name',
  'display_name',
  'trace_id',
  'parent_id',
  'thread_id',
  'turn_id',
  'started_at',
  'attributes',
  'inputs',
  'otel_dump',
  'ext_run_id',
  'ext_run_step',
] as const

const endMembers = ['id', 'ended_at', 'exception', 'output', 'summary', 'ext_run_step_end'] as const

/** The body of a start: the draft's members that belong there, over the least a start needs. */
export function startOf(projectId: string, draft: CallDraft = {}): Record<string, unknown> {
  const least = { project_id: projectId, op_name: 'answer', started_at: defaultStartedAt, attributes: {}, inputs: {} }
  return { ...least, ...pick(draft, startMembers) }
}

/** The body of an end: the draft's members that belong there, over the least an end needs. */
export function endOf(projectId: string, draft: CallDraft & { id: string }): Record<string, unknown> {
  return { project_id: projectId, ended_at: defaultEndedAt, summary: {}, ...pick(draft, endMembers) }
}

/** The body of a finished call, as `calls/complete` takes it. */
export function completeOf(projectId: string, draft: CallDraft & { id: string }): Record<string, unknown> {
  return { trace_id: `trace-of-${draft.id}`, ...startOf(projectId, draft), ...endOf(projectId, draft) }
}

function pick(draft: CallDraft, members: readonly (keyof CallDraft)[]): Record<string, unknown> {
  return Object.fromEntries(members.filter((member) => member in draft).map((member) => [member, draft[member]]))
}
