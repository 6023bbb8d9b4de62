import type { Relation } from '../../../lib/relation.ts'
import type { Sql } from '../../../lib/sql.ts'
import { Parameters } from '../../../query/sql/parameters.ts'
import { tableRowsSql } from '../../../query/sql/table-rows.ts'
import type { QueueItemsRelations } from './queue-items.ts'

/** The existing ones of the given calls: id, start, end, op, trace. */
export function compileCallsToAdd(projectId: string, callIds: readonly string[], calls: Relation): Sql {
  const parameters = new Parameters()
  const text = tableRowsSql(
    { relation: calls, projectId },
    () => ['t.id', 't.started_at', 't.ended_at', 't.op_name', 't.trace_id'],
    (bound) => [`t.id IN (SELECT unnest(${bound.bind({ texts: callIds })}))`],
    parameters,
  )
  return { text, values: parameters.values }
}

/** The ids of the given calls that are in the queue. */
export function compileCallsInQueue(
  { projectId, queueId }: { readonly projectId: string; readonly queueId: string },
  callIds: readonly string[],
  items: Relation,
): Sql {
  const parameters = new Parameters()
  const text = tableRowsSql(
    { relation: items, projectId },
    () => ['t.call_id'],
    (bound) => [
      `t.queue_id = ${bound.bind(queueId)}`,
      `t.call_id IN (SELECT unnest(${bound.bind({ texts: callIds })}))`,
    ],
    parameters,
  )
  return { text, values: parameters.values }
}

/**
 * For each of the given queues with items: its id, its number of items, and how many of them an
 * annotator has finished.
 */
export function compileQueueStats(
  projectId: string,
  queueIds: readonly string[],
  { items, progress }: Omit<QueueItemsRelations, 'feedback'>,
): Sql {
  const parameters = new Parameters()
  const ofQueues = (bound: Parameters) => [`list_contains(${bound.bind({ texts: queueIds })}, t.queue_id)`]
  const allItems = tableRowsSql({ relation: items, projectId }, () => ['t.id', 't.queue_id'], ofQueues, parameters)
  const done = tableRowsSql(
    { relation: progress, projectId },
    () => ['t.item_id'],
    (bound) => [...ofQueues(bound), `t.annotation_state IN ('completed', 'skipped')`],
    parameters,
  )
  const text = `SELECT i.queue_id, count(*), count(d.item_id)
    FROM (${allItems}) i LEFT JOIN (SELECT DISTINCT item_id FROM (${done})) d ON d.item_id = i.id GROUP BY i.queue_id`
  return { text, values: parameters.values }
}
