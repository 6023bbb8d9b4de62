import type { Answer } from './client.ts'
import type { Project } from './project.ts'

/** A price as `cost/query` answers it. */
export type CostRecord = Record<string, unknown> & { id: string; llm_id: string }

/** The entry of `summary.ext.costs` for one model. */
export type CostEntry = Record<string, unknown> & { prompt_tokens_total_cost: number }

export const price = (members: Record<string, unknown> = {}) => ({
  prompt_token_cost: 1,
  completion_token_cost: 2,
  ...members,
})

/** Sets prices; returns the ids by model. */
export async function createCosts(project: Project, costs: Record<string, unknown>): Promise<Record<string, string>> {
  const answer = await project.client.post<{ ids: [string, string][] }>('/cost/create', {
    project_id: project.id,
    costs,
  })
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`)
  return Object.fromEntries(answer.json.ids.map(([id, llmId]) => [llmId, id]))
}

/** `cost/query`, whatever the answer. */
export const askCosts = (project: Project, request: Record<string, unknown> = {}): Promise<Answer<unknown>> =>
  project.client.post('/cost/query', { project_id: project.id, ...request })

export async function queryCosts(project: Project, request: Record<string, unknown> = {}): Promise<CostRecord[]> {
  const answer = await askCosts(project, request)
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`)
  return (answer.json as { results: CostRecord[] }).results
}

export const purgeCosts = (project: Project, expression: unknown): Promise<Answer<unknown>> =>
  project.client.post('/cost/purge', { project_id: project.id, query: { $expr: expression } })
