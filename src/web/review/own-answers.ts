import { post } from '../api/client.ts'
import { plainNumber, postExactly } from '../api/exact-json.ts'
import { session } from '../state/session.ts'

/** What a person has said about an item. */
export interface StoredAnswers {
  /** By the ref of the annotation spec. */
  readonly values: ReadonlyMap<string, unknown>
  readonly note: string
}

interface GivenFeedback {
  readonly ext_user_id: string | null
  readonly annotation_ref: string | null
  readonly payload: { readonly value?: unknown; readonly note?: unknown }
}

const pathOf = (queueId: string, tail: string): string => `/annotation_queues/${encodeURIComponent(queueId)}/${tail}`

/** Reads what the reviewer has answered about an item. @throws {Problem} */
export async function readOwnAnswers(projectId: string, queueId: string, itemId: string): Promise<StoredAnswers> {
  const body = { project_id: projectId, filter: { id: itemId }, include_feedback: true }
  const { items } = await postExactly<{ items: { feedback?: GivenFeedback[] }[] }>(pathOf(queueId, 'items/query'), body)
  const own = (items[0]?.feedback ?? []).filter(({ ext_user_id }) => ext_user_id === session.peek()?.user_id)
  const notes = own.flatMap(({ annotation_ref, payload: { note } }) =>
    annotation_ref === null && typeof note === 'string' ? [note] : [],
  )
  const values = own.flatMap(({ annotation_ref, payload: { value } }) =>
    annotation_ref === null || value === undefined ? [] : [[annotation_ref, plainNumber(value)] as const],
  )
  return { values: new Map(values), note: notes.at(-1) ?? '' }
}

/** An item that a person has answered or skipped. */
export interface FinishedItem {
  readonly item_id: string
  readonly call_op_name: string
  readonly position_in_queue: number
  readonly user_id: string
  readonly state: 'completed' | 'skipped'
  readonly reason: string | null
  readonly finished_at: string
}

interface WantedItems {
  readonly mine?: boolean
  readonly state?: FinishedItem['state']
  readonly limit: number
}

/** Items that people have answered or skipped, the latest first. @throws {Problem} */
export const readFinished = async (
  projectId: string,
  queueId: string,
  wanted: WantedItems,
  signal?: AbortSignal,
): Promise<readonly FinishedItem[]> => {
  const body = { project_id: projectId, ...wanted }
  const path = pathOf(queueId, 'finished')
  return (await post<{ finished: FinishedItem[] }>(path, body, signal && { signal })).finished
}
