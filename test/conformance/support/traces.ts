import type { Answer } from './client.ts'
import type { Project } from './project.ts'

/** The answer of `trace/read`. */
export interface Skeleton {
  trace_id: string
  call_count: number
  is_complete: boolean
  started_at: string | null
  ended_at: string | null
  read_at: string | null
  thread_id: string | null
  ops: string[]
  kinds: string[]
  models: string[]
  statuses: string[]
  call_ids: string[]
  parent: number[]
  depth: number[]
  op: number[]
  kind: number[]
  status: number[]
  name: (string | null)[]
  start_ms: number[]
  duration_ms: (number | null)[]
  child_count: number[]
  descendant_count: number[]
  model: number[]
  tokens_in: (number | null)[]
  tokens_out: (number | null)[]
  tokens_cached: (number | null)[]
  cost: (number | null)[]
  total_tokens: number[]
  total_cost: (number | null)[]
  feedback_count: number[]
  is_usage_repeated: boolean[]
  has_error_inside: boolean[]
}

/** `trace/read`, whatever the answer. */
export const askTrace = (
  project: Project,
  traceId: string,
  request: Record<string, unknown> = {},
): Promise<Answer<Skeleton>> =>
  project.client.post('/trace/read', { project_id: project.id, trace_id: traceId, ...request })

export async function readTrace(
  project: Project,
  traceId: string,
  request: Record<string, unknown> = {},
): Promise<Skeleton> {
  const answer = await askTrace(project, traceId, request)
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`)
  return answer.json
}
