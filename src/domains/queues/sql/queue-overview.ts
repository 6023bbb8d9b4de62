import type { Relation } from '../../../lib/relation.ts'
import type { Sql } from '../../../lib/sql.ts'
import { type RowOfShape, rowShape } from '../../../lib/typed-rows.ts'
import { Parameters } from '../../../query/sql/parameters.ts'
import { tableRowsSql } from '../../../query/sql/table-rows.ts'

interface ProgressRelations {
  readonly items: Relation
  readonly progress: Relation
}

const workShape = rowShape({
  queue_id: 'text',
  user_id: 'text',
  answers: 'integer',
  skips: 'integer',
  last_answer_at: 'time?',
})

/** For each of the given queues and each person: what they finished of the items that are in it. */
export function compileReviewers(
  projectId: string,
  queueIds: readonly string[],
  { items, progress }: ProgressRelations,
): Sql<RowOfShape<typeof workShape>> {
  const parameters = new Parameters()
  const ofQueues = (bound: Parameters) => [`list_contains(${bound.bind({ texts: queueIds })}, t.queue_id)`]
  const present = tableRowsSql({ relation: items, projectId }, () => ['t.id'], ofQueues, parameters)
  const done = tableRowsSql(
    { relation: progress, projectId },
    () => ['queue_id', 'item_id', 'annotator_user_id', 'annotation_state', 'updated_at'].map((name) => `t."${name}"`),
    (bound) => [...ofQueues(bound), `t.annotation_state IN ('completed', 'skipped')`],
    parameters,
  )
  const text = `SELECT d.queue_id, d.annotator_user_id, count(*) FILTER (d.annotation_state = 'completed') AS answers,
      count(*) FILTER (d.annotation_state = 'skipped'),
      max(d.updated_at) FILTER (d.annotation_state = 'completed')
    FROM (${done}) d JOIN (${present}) i ON i.id = d.item_id
    GROUP BY d.queue_id, d.annotator_user_id ORDER BY d.queue_id, answers DESC, d.annotator_user_id`
  return { text, values: parameters.values, shape: workShape }
}

const itemIdShape = rowShape({ id: 'text' })

/** Those of the given items that are in the queue. */
export function compileItemsInQueue(
  { projectId, queueId }: { readonly projectId: string; readonly queueId: string },
  itemIds: readonly string[],
  items: Relation,
): Sql<RowOfShape<typeof itemIdShape>> {
  const parameters = new Parameters()
  const text = tableRowsSql(
    { relation: items, projectId },
    () => ['t.id'],
    (bound) => [`t.queue_id = ${bound.bind(queueId)}`, `t.id IN (SELECT unnest(${bound.bind({ texts: itemIds })}))`],
    parameters,
  )
  return { text, values: parameters.values, shape: itemIdShape }
}
