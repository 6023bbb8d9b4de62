import { progressTable, queueItemsTable } from '../../engine/tables/queue-tables.ts'
import { formatTime } from '../../lib/time.ts'
import type { ProjectReader } from '../access/index.ts'
import type { QueueOverview } from './model/overview.ts'
import type { QueueItems } from './queue-items.ts'
import type { QueueDependencies, Queues } from './queues.ts'
import { compileReviewers } from './sql/queue-overview.ts'

/**
 * How far the review of each queue is, newest queue first, or in the order requested; unknown
 * queues are left out.
 */
export async function overviewOf(
  { store, queues, items }: Pick<QueueDependencies, 'store'> & { readonly queues: Queues; readonly items: QueueItems },
  reader: ProjectReader,
  wanted: readonly string[] | undefined,
): Promise<QueueOverview[]> {
  const found = await queues.list(reader, wanted && [...new Set(wanted)])
  const byId = new Map(found.map((each) => [each.queue.id, each]))
  const ids = wanted === undefined ? [...byId.keys()] : [...new Set(wanted)].filter((id) => byId.has(id))
  if (ids.length === 0) return []
  const stats = await items.stats(reader, ids)
  const work = await store.read([queueItemsTable.name, progressTable.name], reader, async (snapshot) => {
    const where = { queue_id: ids }
    const sql = compileReviewers(reader.projectId, ids, {
      items: snapshot.relation(queueItemsTable.name, where),
      progress: snapshot.relation(progressTable.name, where),
    })
    return await snapshot.rows(sql)
  })
  const byQueue = Map.groupBy(work, ({ queue_id }) => queue_id)
  return stats.flatMap(({ queue_id, total_items, completed_items }) => {
    const known = byId.get(queue_id)
    if (known === undefined) return []
    const own = byQueue.get(queue_id) ?? []
    const times = own.flatMap(({ last_answer_at }) => last_answer_at ?? [])
    return {
      ...known,
      items: total_items,
      finished_items: completed_items,
      answers: own.reduce((sum, { answers }) => sum + answers, 0),
      skips: own.reduce((sum, { skips }) => sum + skips, 0),
      last_answer_at: times.length === 0 ? null : formatTime(Math.max(...times)),
      reviewers: own.map(({ user_id, answers, skips, last_answer_at }) => ({
        user_id,
        answers,
        skips,
        last_answer_at: last_answer_at === null ? null : formatTime(last_answer_at),
      })),
    }
  })
}
