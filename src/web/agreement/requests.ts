import { post, sendJson } from '../api/client.ts'
import { refreshQueues } from '../review/queues.ts'

const pathOf = (queueId: string, tail: string): string => `/annotation_queues/${encodeURIComponent(queueId)}/${tail}`
const itemPath = (queueId: string, itemId: string, what: string): string =>
  pathOf(queueId, `items/${encodeURIComponent(itemId)}/${what}`)

/** An answer as it is sent. */
export interface SentAnswer {
  readonly annotation_ref: string
  readonly value: unknown
}

/** What decides an item. */
export interface Decision {
  readonly answers: readonly SentAnswer[]
  readonly reason: string
  /** Also if another person has decided it. */
  readonly replace: boolean
}

/** Stores a decision. @throws {Problem} 409 if another person has decided the item */
export const decideItem = (
  projectId: string,
  { queueId, itemId }: { readonly queueId: string; readonly itemId: string },
  { answers, reason, replace }: Decision,
): Promise<object> =>
  post(itemPath(queueId, itemId, 'decide'), { project_id: projectId, answers, reason: reason || null, replace })

/** Takes a decision back. @throws {Problem} */
export const undecideItem = (projectId: string, queueId: string, itemId: string): Promise<object> =>
  post(itemPath(queueId, itemId, 'undecide'), { project_id: projectId })

/** Stores the answers on which all reviewers agree as final ones. @throws {Problem} */
export async function settleQueue(projectId: string, queueId: string): Promise<void> {
  await post(pathOf(queueId, 'settle'), { project_id: projectId })
  await refreshQueues(projectId)
}

/** Items with known answers, and how many each person answers right. */
export interface Gold {
  readonly items: readonly { readonly item_id: string; readonly answers: readonly SentAnswer[] }[]
  readonly reviewers: readonly { readonly user_id: string; readonly answered: number; readonly right: number }[]
}

/** Reads the gold items of a queue; for admins. */
export const goldQuery = (projectId: string, queueId: string) => ({
  queryKey: ['queues', projectId, 'gold', queueId],
  queryFn: ({ signal }: { readonly signal: AbortSignal }): Promise<Gold> =>
    post(pathOf(queueId, 'gold'), { project_id: projectId }, { signal }),
})

/** Stores the known answers of an item; without any, it is an ordinary one. @throws {Problem} */
export async function saveGold(
  projectId: string,
  { queueId, itemId }: { readonly queueId: string; readonly itemId: string },
  answers: readonly SentAnswer[],
): Promise<void> {
  await sendJson('PUT', itemPath(queueId, itemId, 'gold'), { project_id: projectId, answers })
  await refreshQueues(projectId)
}

/** How many calls match, and how many were added. */
export interface AddedByQuery {
  readonly matched_count: number
  readonly in_queue_count: number
  readonly added_count: number
  readonly duplicates: number
}

/** Adds the calls that a request describes, or only counts them. @throws {Problem} */
export const addByQuery = (queueId: string, body: object, signal?: AbortSignal): Promise<AddedByQuery> =>
  post(pathOf(queueId, 'items/add_by_query'), body, signal ? { signal } : {})
