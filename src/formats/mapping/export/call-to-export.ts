/** Members of an ended call as `calls/query` returns them in neutral names. */
export interface CallToExport {
  readonly project_id: string
  readonly id: string
  readonly trace_id: string
  readonly parent_id?: string | null
  readonly thread_id?: string | null
  readonly turn_id?: string | null
  readonly op_name: string
  readonly display_name?: string | null
  readonly started_at: string
  readonly ended_at: string
  readonly exception?: string | null
  readonly attributes: Readonly<Record<string, unknown>>
  readonly inputs: Readonly<Record<string, unknown>>
  readonly output?: unknown
  readonly summary?: Readonly<Record<string, unknown>> | null
}
