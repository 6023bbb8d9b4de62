import { post, sendJson } from '../api/client.ts'
import { postRows } from '../api/lines.ts'
import { removeLater } from '../state/pending-deletes.ts'
import { queries } from '../state/query-signal.ts'
import { session } from '../state/session.ts'
import { type CallLine, type CallRow, rowOfLine } from '../table/call-row.ts'
import { reviewText } from '../text/review.ts'

/** A list of calls for people to judge. */
export interface Queue {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly scorer_refs: readonly string[]
  readonly created_at: string
  readonly created_by: string
}

/** What a person has done in a queue. */
export interface Reviewer {
  readonly user_id: string
  /** Of the key or account; null if it is gone. */
  readonly name: string | null
  readonly answers: number
  /** Those of today. */
  readonly recent_answers: number
  readonly skips: number
  readonly skip_reasons: readonly SkipReason[]
  readonly median_seconds: number | null
  readonly last_answer_at: string | null
}

interface SkipReason {
  readonly reason: string
  readonly count: number
}

/** How a queue is reviewed. */
interface ReviewSettings {
  readonly reviewers_per_item: number
  readonly guidelines: string
  readonly lease_seconds: number
  /** Ids of the people who may review it; empty for everyone who may write. */
  readonly assigned_to: readonly string[]
}

/** How far the review of a queue is. */
interface QueueProgress {
  readonly queue: Queue
  readonly review: ReviewSettings
  /** Of `assigned_to`, in that order; null where a key or account is gone. */
  readonly assigned_names: readonly (string | null)[]
  readonly items: number
  readonly answers: number
  /** How many items have no answer, one, and so on. */
  readonly items_by_answers: readonly number[]
  /** Items that wait for the viewer. */
  readonly left: number
  readonly claimed_items: number
  readonly recent_answers: number
  readonly skips: number
  readonly skip_reasons: readonly SkipReason[]
  readonly last_answer_at: string | null
  readonly reviewers: readonly Reviewer[]
}

export type ListedQueue = Queue & {
  readonly review: ReviewSettings
  readonly progress: Omit<QueueProgress, 'queue' | 'review'>
}

/** Items that have as many answers as the queue asks for. */
export const wholeItems = ({ items_by_answers: counts }: ListedQueue['progress']): number => counts.at(-1) ?? 0

/** Whether the viewer may review a queue: it is assigned to them, or to no one. */
export const isForMe = ({ review: { assigned_to } }: Pick<ListedQueue, 'review'>): boolean =>
  assigned_to.length === 0 || assigned_to.includes(session.value?.user_id ?? '')

/** How many items wait for the viewer in a queue that is assigned to them. */
export const waitingForMe = ({ review, progress }: ListedQueue): number =>
  review.assigned_to.includes(session.value?.user_id ?? '') ? progress.left : 0

/** Names of the people to whom a queue is assigned. */
export const assignedNames = ({ review, progress }: ListedQueue): readonly string[] =>
  review.assigned_to.map((id, at) => personOf(id, progress.assigned_names[at]))

/** A call in a queue. */
export interface Item {
  readonly id: string
  readonly call_id: string
  readonly call_op_name: string
  readonly call_trace_id: string
  readonly call_started_at: string
  readonly call_ended_at: string | null
  /** The call that it is compared with. */
  readonly compared_call_id?: string
  readonly annotation_state: ItemState
  readonly annotator_user_id: string | null
  readonly added_by: string | null
  readonly created_at: string
  readonly updated_at: string
  readonly position_in_queue: number
}

export const itemStates = ['unstarted', 'in_progress', 'completed', 'skipped'] as const
export type ItemState = (typeof itemStates)[number]

/** Most items that a page shows. */
export const itemsMax = 5_000

interface Reading {
  readonly signal: AbortSignal
}

async function readQueues(projectId: string, ids: readonly string[] | undefined, signal: AbortSignal) {
  const today = new Date()
  today.setHours(0, 0, 0, 0)
  const body = { project_id: projectId, since: today.toISOString(), ...(ids && { queue_ids: ids }) }
  const { queues } = await post<{ queues: QueueProgress[] }>('/annotation_queues/overview', body, { signal })
  return queues.map(({ queue, review, ...progress }): ListedQueue => ({ ...queue, review, progress }))
}

/** Queues of a project with their progress, newest first. */
export const queuesQuery = (projectId: string) => ({
  queryKey: ['queues', projectId, 'list'],
  queryFn: ({ signal }: Reading): Promise<readonly ListedQueue[]> => readQueues(projectId, undefined, signal),
})

/** A queue with its progress; null if there is none. */
export const queueQuery = (projectId: string, id: string) => ({
  queryKey: ['queues', projectId, 'one', id],
  queryFn: async ({ signal }: Reading): Promise<ListedQueue | null> =>
    (await readQueues(projectId, [id], signal))[0] ?? null,
})

const pathOf = (id: string, tail = ''): string => `/annotation_queues/${encodeURIComponent(id)}${tail}`

/** Items of a queue in the order in which they were added. */
export const itemsQuery = (projectId: string, id: string) => ({
  queryKey: ['queues', projectId, 'items', id],
  queryFn: async ({ signal }: Reading): Promise<readonly Item[]> => {
    const body = { project_id: projectId, limit: itemsMax, include_position: true }
    return (await post<{ items: Item[] }>(pathOf(id, '/items/query'), body, { signal })).items
  },
})

/** What was called for some items, by the id of the call. Calls that are gone are missing. */
export const callsOfItemsQuery = (projectId: string, callIds: readonly string[]) => ({
  queryKey: ['queues', projectId, 'calls', callIds.join(' ')],
  enabled: callIds.length > 0,
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }: Reading): Promise<ReadonlyMap<string, CallRow>> => {
    const body = {
      project_id: projectId,
      filter: { call_ids: callIds },
      columns: ['id', 'trace_id', 'op_name', 'started_at', 'ended_at', 'summary.ext.status'],
      omit_null: true,
      preview_chars: 160,
    }
    const lines = await postRows<CallLine>('/calls/stream_query', body, { signal })
    return new Map(lines.map((line) => [line.id, rowOfLine(line)]))
  },
})

/** Reads everything about the queues of a project anew. */
export const refreshQueues = (projectId: string): Promise<void> =>
  queries.invalidateQueries({ queryKey: ['queues', projectId] })

/** Makes a queue. @returns its id @throws {Problem} */
export async function createQueue(projectId: string, name: string, description = ''): Promise<string> {
  const body = { project_id: projectId, name, description, scorer_refs: [] }
  const { id } = await post<{ id: string }>('/annotation_queues', body)
  await refreshQueues(projectId)
  return id
}

/** Changes the name and description of a queue. @throws {Problem} */
export async function updateQueue(
  projectId: string,
  id: string,
  changes: { readonly name: string; readonly description: string },
): Promise<void> {
  await sendJson('PUT', pathOf(id), { project_id: projectId, ...changes })
  await refreshQueues(projectId)
}

/** Stores how a queue is reviewed. @throws {Problem} */
export async function saveReview(
  projectId: string,
  id: string,
  review: {
    readonly reviewers: number
    readonly guidelines: string
    readonly refs: readonly string[]
    readonly assignedTo?: readonly string[]
  },
): Promise<void> {
  const { reviewers: reviewers_per_item, guidelines, assignedTo: assigned_to } = review
  const settings = { reviewers_per_item, guidelines, ...(assigned_to && { assigned_to }) }
  await sendJson('PUT', pathOf(id), { project_id: projectId, scorer_refs: review.refs })
  await sendJson('PUT', pathOf(id, '/review'), { project_id: projectId, ...settings })
  await refreshQueues(projectId)
}

/** Puts calls into a queue. @returns how many were not in it already @throws {Problem} */
export async function addToQueue(projectId: string, queueId: string, ids: readonly string[]): Promise<number> {
  const body = { project_id: projectId, call_ids: ids, display_fields: ['inputs', 'output'] }
  const { added_count } = await post<{ added_count: number }>(pathOf(queueId, '/items'), body)
  await refreshQueues(projectId)
  return added_count
}

/** Two calls that people compare. */
export type Pair = readonly [string, string]

/** Puts pairs of calls into a queue. @returns how many were not in it already @throws {Problem} */
export async function addPairs(projectId: string, queueId: string, pairs: readonly Pair[]): Promise<number> {
  const sent = pairs.map(([call_id, compared_call_id]) => ({ call_id, compared_call_id }))
  const body = { project_id: projectId, pairs: sent }
  const { added_count } = await post<{ added_count: number }>(pathOf(queueId, '/pairs'), body)
  await refreshQueues(projectId)
  return added_count
}

/** Deletes a queue ten seconds from now, unless it is undone. */
export const deleteQueueLater = (projectId: string, { id, name }: Queue): void =>
  removeLater({
    ids: [id],
    text: reviewText.deleted(name),
    method: 'DELETE',
    path: `${pathOf(id)}?${new URLSearchParams({ project_id: projectId })}`,
    removed: () => void refreshQueues(projectId),
  })

/** Takes items out of a queue ten seconds from now, unless it is undone. */
export const removeItemsLater = (projectId: string, queueId: string, ids: readonly string[]): void =>
  removeLater({
    ids,
    text: reviewText.removed(ids.length),
    method: 'POST',
    path: pathOf(queueId, '/items/remove'),
    body: { project_id: projectId, item_ids: ids },
    removed: () => void refreshQueues(projectId),
  })

/** Who somebody is, as lists say it. @param name if it is known */
export const personOf = (id: string | null, name?: string | null): string =>
  id === null || id === '' ? '–' : id === session.value?.user_id ? reviewText.you : (name ?? id)
