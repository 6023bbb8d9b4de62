import { progressTable, queueItemsTable } from '../../engine/tables/queue-tables.ts'
import { formatTime } from '../../lib/time.ts'
import type { ProjectReader } from '../access/index.ts'
import type { FinishedItem, FinishedRequest } from './model/finished.ts'
import type { QueueDependencies, Queues } from './queues.ts'
import { compileFinishedItems } from './sql/finished-items.ts'

const limitUsual = 100

/** What people answered or skipped in a queue, the latest first. @throws DomainError NotFound */
export async function finishedItems(
  { store, queues }: Pick<QueueDependencies, 'store'> & { readonly queues: Queues },
  reader: ProjectReader,
  queueId: string,
  { mine, state, limit, offset }: Omit<FinishedRequest, 'project_id'>,
): Promise<FinishedItem[]> {
  await queues.require(reader, queueId)
  const { projectId } = reader
  const rows = await store.read([queueItemsTable.name, progressTable.name], reader, async (snapshot) => {
    const where = { queue_id: [queueId] }
    const sql = compileFinishedItems(
      {
        projectId,
        queueId,
        userId: mine ? reader.userId : undefined,
        states: state ? [state] : ['completed', 'skipped'],
        limit: limit ?? limitUsual,
        offset: offset ?? 0,
      },
      {
        items: snapshot.relation(queueItemsTable.name, where),
        progress: snapshot.relation(progressTable.name, where),
      },
    )
    return await snapshot.rows(sql)
  })
  return rows.map(({ position, finished_at, state: is, ...row }) => ({
    ...row,
    position_in_queue: position,
    state: is === 'skipped' ? 'skipped' : 'completed',
    finished_at: formatTime(finished_at),
  }))
}
