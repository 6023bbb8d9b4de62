import type { Answer } from './client.ts'
import type { Project } from './project.ts'

export interface FeedbackReceipt {
  id: string
  created_at: string
  ext_user_id: string
  payload: Record<string, unknown>
}

export const callRef = (project: Project, callId: string) => `ext:///${project.id}/call/${callId}`

/** The least that feedback needs, about the call `a`. */
export const draftOf = (project: Project, members: Record<string, unknown> = {}) => ({
  project_id: project.id,
  ext_ref: callRef(project, 'a'),
  feedback_type: 'thought',
  payload: { text: 'hm' },
  ...members,
})

/** `feedback/create`, whatever the answer. */
export const sendFeedback = (
  project: Project,
  members: Record<string, unknown> = {},
): Promise<Answer<FeedbackReceipt>> => project.client.post('/feedback/create', draftOf(project, members))

export async function giveFeedback(project: Project, members: Record<string, unknown> = {}): Promise<FeedbackReceipt> {
  const answer = await sendFeedback(project, members)
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`)
  return answer.json
}

/** `feedback/query`, whatever the answer. */
export const askFeedback = (project: Project, request: Record<string, unknown> = {}): Promise<Answer<unknown>> =>
  project.client.post('/feedback/query', { project_id: project.id, ...request })

export async function queryFeedback(
  project: Project,
  request: Record<string, unknown> = {},
): Promise<Record<string, unknown>[]> {
  const answer = await askFeedback(project, request)
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`)
  return (answer.json as { result: Record<string, unknown>[] }).result
}

/** Ids of the feedback that a query answers, in its order. */
export const feedbackIds = async (project: Project, request: Record<string, unknown> = {}) =>
  (await queryFeedback(project, { fields: ['id'], ...request })).map(({ id }) => id)

export const purgeFeedback = (project: Project, expression: unknown): Promise<Answer<unknown>> =>
  project.client.post('/feedback/purge', { project_id: project.id, query: { $expr: expression } })
