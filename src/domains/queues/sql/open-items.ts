import type { Relation } from '../../../lib/relation.ts'
import type { Sql } from '../../../lib/sql.ts'
import { type RowOfShape, rowShape } from '../../../lib/typed-rows.ts'
import { Parameters } from '../../../query/sql/parameters.ts'
import { tableRowsSql } from '../../../query/sql/table-rows.ts'

const openShape = rowShape({ id: 'text', answered_by: 'texts', own: 'text?', left: 'integer', yours: 'integer' })

interface OpenItems {
  readonly projectId: string
  readonly queueId: string
  readonly userId: string
  readonly reviewersPerItem: number
  /** This item, in whatever state; otherwise those that lack an answer of this person. */
  readonly itemId: string | undefined
  readonly limit: number
}

/**
 * Items for a person to answer, in the order in which they were added, with who has answered each
 * and what this person did. `left` and `yours` are equal in all rows; there is a row
 * without an id if no item is left.
 */
export function compileOpenItems(
  { projectId, queueId, userId, reviewersPerItem, itemId, limit }: OpenItems,
  { items, progress }: { readonly items: Relation; readonly progress: Relation },
): Sql<RowOfShape<typeof openShape>> {
  const parameters = new Parameters()
  const ofQueue = [`t.queue_id = ${parameters.bind(queueId)}`]
  const all = tableRowsSql({ relation: items, projectId }, ['t.id', 't.created_at'], ofQueue, parameters)
  const done = tableRowsSql(
    { relation: progress, projectId },
    ['t.item_id', 't.annotator_user_id', 't.annotation_state'],
    [...ofQueue, `t.annotation_state IN ('completed', 'skipped')`],
    parameters,
  )
  const user = parameters.bind(userId)
  const wanted =
    itemId === undefined
      ? `own IS NULL AND answers < ${parameters.bind(reviewersPerItem)}`
      : `id = ${parameters.bind(itemId)}`
  const text = `WITH done AS (
      SELECT item_id, list(annotator_user_id) FILTER (annotation_state = 'completed') AS answered_by,
        any_value(annotation_state) FILTER (annotator_user_id = ${user}) AS own
      FROM (${done}) GROUP BY item_id),
    states AS (
      SELECT i.id, i.created_at, coalesce(d.answered_by, []) AS answered_by,
        coalesce(len(d.answered_by), 0) AS answers, d.own
      FROM (${all}) i LEFT JOIN done d ON d.item_id = i.id),
    counted AS (
      SELECT count(*) FILTER (own IS NULL AND answers < ${parameters.bind(reviewersPerItem)}) AS left,
        count(*) FILTER (own = 'completed') AS yours
      FROM states),
    found AS (SELECT * FROM states WHERE ${wanted} ORDER BY created_at, id LIMIT ${parameters.bind(limit)})
    SELECT coalesce(f.id, ''), coalesce(f.answered_by, []), f.own, c.left, c.yours
    FROM counted c LEFT JOIN found f ON true ORDER BY f.created_at, f.id`
  return { text, values: parameters.values, shape: openShape }
}
