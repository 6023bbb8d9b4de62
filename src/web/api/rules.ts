import { post, sendJson } from './client.ts'

export type RuleMetric =
  | 'call_count'
  | 'error_count'
  | 'error_rate'
  | 'latency_avg_ms'
  | 'latency_p95_ms'
  | 'total_cost'
  | 'score_avg'

/** When the webhook of a rule is called. */
export interface RuleCondition {
  readonly metric: RuleMetric
  readonly comparison: 'above' | 'below'
  readonly threshold: number
  readonly window_seconds: number
}

/** What the server does with calls as they arrive. */
export interface Rule {
  readonly id: string
  readonly name: string
  readonly condition: RuleCondition | null
  readonly action: { readonly kind: 'score' | 'add_to_queue' | 'webhook' | 'forward'; readonly url?: string }
  readonly is_paused: boolean
  readonly status: {
    readonly state: 'active' | 'paused' | 'failing'
    readonly alert: 'ok' | 'firing' | null
    readonly handled: number
    readonly error: string | null
  }
}

/** Reads the rules of a project, for the query cache. */
export const rulesQuery = (projectId: string | undefined) => ({
  queryKey: ['rules', projectId],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<readonly Rule[]> =>
    (await post<{ rules: Rule[] }>('/rules/query', { project_id: projectId }, { signal })).rules,
})

/**
 * Creates a rule that calls a webhook. @returns the secret that its requests are signed with
 * @throws {Problem}
 */
export async function createAlert(
  projectId: string,
  { name, url, condition }: { name: string; url: string; condition: RuleCondition },
): Promise<string | null> {
  const body = { project_id: projectId, name, condition, action: { kind: 'webhook', url } }
  return (await post<{ signing_secret: string | null }>('/rules', body)).signing_secret
}

/** Pauses or resumes a rule. @throws {Problem} */
export const pauseRule = (projectId: string, id: string, isPaused: boolean): Promise<unknown> =>
  sendJson('PUT', pathOf(id), { project_id: projectId, is_paused: isPaused })

/** @throws {Problem} */
export const deleteRule = (projectId: string, id: string): Promise<unknown> =>
  sendJson('DELETE', `${pathOf(id)}?project_id=${encodeURIComponent(projectId)}`)

/** Sends a test request to the webhook of a rule. @throws {Problem} */
export const testRule = (projectId: string, id: string): Promise<unknown> =>
  post(`${pathOf(id)}/test`, { project_id: projectId })

const pathOf = (id: string): string => `/rules/${encodeURIComponent(id)}`
