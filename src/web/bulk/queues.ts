import { post } from '../api/client.ts'
import { postRows } from '../api/lines.ts'

/** A list of calls for people to judge. */
export interface Queue {
  readonly id: string
  readonly name: string
}

/** Queues of a project, newest first. @throws {Problem} */
export const readQueues = (projectId: string, signal: AbortSignal): Promise<Queue[]> =>
  postRows<Queue>('/annotation_queues/query', { project_id: projectId, limit: 100 }, { signal })

/** Makes a queue. @returns its id @throws {Problem} */
export const createQueue = async (projectId: string, name: string): Promise<string> =>
  (await post<{ id: string }>('/annotation_queues', { project_id: projectId, name, scorer_refs: [] })).id

/** Puts calls into a queue. @returns how many were not in it already @throws {Problem} */
export async function addToQueue(projectId: string, queueId: string, ids: readonly string[]): Promise<number> {
  const body = { project_id: projectId, call_ids: ids, display_fields: ['inputs', 'output'] }
  const path = `/annotation_queues/${encodeURIComponent(queueId)}/items`
  return (await post<{ added_count: number }>(path, body)).added_count
}
