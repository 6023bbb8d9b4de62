import type { Answer } from './client.ts'
import type { Project } from './project.ts'

export interface Queue {
  id: string
  name: string
  description: string
  scorer_refs: string[]
  created_at: string
  created_by: string
  updated_at: string
  deleted_at: string | null
}

export interface QueueItem {
  id: string
  queue_id: string
  call_id: string
  annotation_state: string
  annotator_user_id: string | null
  position_in_queue: number | null
  updated_at: string
  compared_call_id?: string
  feedback?: Record<string, unknown>[]
}

export interface QueueOverview {
  queue: Queue
  review: { reviewers_per_item: number; guidelines: string; lease_seconds: number; assigned_to: string[] }
  assigned_names: (string | null)[]
  items: number
  finished_items: number
  answers: number
  items_by_answers: number[]
  left: number
  claimed_items: number
  recent_answers: number
  skips: number
  skip_reasons: SkipReason[]
  last_answer_at: string | null
  reviewers: {
    user_id: string
    name: string | null
    answers: number
    recent_answers: number
    skips: number
    skip_reasons: SkipReason[]
    median_seconds: number | null
    last_answer_at: string | null
  }[]
}

interface SkipReason {
  reason: string
  count: number
}

interface AddedByQuery {
  matched_count: number
  in_queue_count: number
  chosen_count: number
  added_count: number
  duplicates: number
}

export interface QueueClaim {
  claim: { item: QueueItem; expires_at: string; lease_seconds: number } | null
  yours: number
  left: number
}

interface FinishedItem {
  item_id: string
  call_id: string
  position_in_queue: number
  user_id: string
  state: string
  reason: string | null
}

type Members = Record<string, unknown>

/** Requests on annotation queues of one project, whatever the answer. */
export class Queues {
  readonly project: Project

  constructor(project: Project) {
    this.project = project
  }

  create(members: Members = {}): Promise<Answer<{ id: string }>> {
    return this.post('', { name: 'to check', scorer_refs: [], ...members })
  }

  query(members: Members = {}): Promise<Answer<unknown>> {
    return this.post('/query', members)
  }

  read(id: string): Promise<Answer<{ queue: Queue }>> {
    return this.project.client.get(this.withProject(id))
  }

  update(id: string, members: Members): Promise<Answer<{ queue: Queue }>> {
    return this.project.client.put(`/annotation_queues/${id}`, { project_id: this.project.id, ...members })
  }

  delete(id: string): Promise<Answer<{ queue: Queue }>> {
    return this.project.client.delete(this.withProject(id))
  }

  add(id: string, callIds: readonly string[], display_fields: readonly string[] = ['inputs.question']) {
    return this.post<{ added_count: number; duplicates: number }>(`/${id}/items`, { call_ids: callIds, display_fields })
  }

  items(id: string, members: Members = {}): Promise<Answer<{ items: QueueItem[] }>> {
    return this.post(`/${id}/items/query`, members)
  }

  addByQuery(id: string, members: Members = {}) {
    return this.post<AddedByQuery>(`/${id}/items/add_by_query`, members)
  }

  decide(id: string, itemId: string, members: Members): Promise<Answer<{ feedback_ids: string[] }>> {
    return this.post(`/${id}/items/${itemId}/decide`, members)
  }

  undecide(id: string, itemId: string): Promise<Answer<{ removed_count: number }>> {
    return this.post(`/${id}/items/${itemId}/undecide`, {})
  }

  settle(id: string) {
    return this.post<{ stored_count: number; removed_count: number; final_count: number }>(`/${id}/settle`, {})
  }

  setGold(id: string, itemId: string, answers: readonly Members[]): Promise<Answer<object>> {
    const body = { project_id: this.project.id, answers }
    return this.project.client.put(`/annotation_queues/${id}/items/${itemId}/gold`, body)
  }

  gold(id: string) {
    return this.post<{
      items: { item_id: string; call_id: string; answers: Members[] }[]
      reviewers: { user_id: string; answered: number; right: number }[]
    }>(`/${id}/gold`, {})
  }

  assignable() {
    return this.post<{ people: { user_id: string; name: string; is_account: boolean }[] }>('/assignable', {})
  }

  stats(ids: readonly string[]) {
    return this.post<{ stats: Members[] }>('/stats', { queue_ids: ids })
  }

  overview(ids?: readonly string[], members: Members = {}): Promise<Answer<{ queues: QueueOverview[] }>> {
    return this.post('/overview', { ...(ids && { queue_ids: ids }), ...members })
  }

  remove(id: string, itemIds: readonly string[]) {
    return this.post<{ removed_count: number }>(`/${id}/items/remove`, { item_ids: itemIds })
  }

  setReview(id: string, members: Members): Promise<Answer<Pick<QueueOverview, 'review'>>> {
    return this.project.client.put(`/annotation_queues/${id}/review`, { project_id: this.project.id, ...members })
  }

  claim(id: string, members: Members = {}): Promise<Answer<QueueClaim>> {
    return this.post(`/${id}/claim`, members)
  }

  renew(id: string, itemId: string): Promise<Answer<{ expires_at: string }>> {
    return this.post(`/${id}/items/${itemId}/renew`, {})
  }

  release(id: string, itemId: string): Promise<Answer<object>> {
    return this.post(`/${id}/items/${itemId}/release`, {})
  }

  submit(id: string, itemId: string, members: Members = {}): Promise<Answer<{ feedback_ids: string[] }>> {
    return this.post(`/${id}/items/${itemId}/submit`, { answers: [], ...members })
  }

  skip(id: string, itemId: string, reason = ''): Promise<Answer<object>> {
    return this.post(`/${id}/items/${itemId}/skip`, { reason })
  }

  addPairs(id: string, pairs: readonly (readonly [string, string])[]) {
    return this.post<{ added_count: number; duplicates: number }>(`/${id}/pairs`, {
      pairs: pairs.map(([call_id, compared_call_id]) => ({ call_id, compared_call_id })),
    })
  }

  finished(id: string, members: Members = {}): Promise<Answer<{ finished: FinishedItem[] }>> {
    return this.post(`/${id}/finished`, members)
  }

  progress(id: string, itemId: string, annotation_state: string): Promise<Answer<{ item: QueueItem }>> {
    return this.post(`/${id}/items/${itemId}/progress`, { annotation_state })
  }

  private post<T>(tail: string, members: Members): Promise<Answer<T>> {
    return this.project.client.post<T>(`/annotation_queues${tail}`, { project_id: this.project.id, ...members })
  }

  private withProject(id: string): string {
    return `/annotation_queues/${id}?project_id=${encodeURIComponent(this.project.id)}`
  }
}

/** What an answer with status 200 holds. @throws for any other */
export async function ok<T>(answer: Promise<Answer<T>>): Promise<T> {
  const { status, text, json } = await answer
  if (status !== 200) throw new Error(`${status}: ${text}`)
  return json
}

/** The objects of an answer that has one in each line. */
export const linesOf = <T>({ text }: Answer<unknown>): T[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T)
