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
  recent: 'integer',
  skips: 'integer',
  median_seconds: 'number?',
  last_answer_at: 'time?',
})

interface OverviewScope {
  readonly projectId: string
  readonly queueIds: readonly string[]
}

/** Finished progress `d` on the items `i` that are in the given queues. */
function finishedSql({ projectId, queueIds }: OverviewScope, relations: ProgressRelations, parameters: Parameters) {
  const ofQueues = [`list_contains(${parameters.bind({ texts: queueIds })}, t.queue_id)`]
  const present = tableRowsSql({ relation: relations.items, projectId }, ['t.id'], ofQueues, parameters)
  const done = tableRowsSql(
    { relation: relations.progress, projectId },
    progressColumns.map((name) => `t."${name}"`),
    [...ofQueues, `t.annotation_state IN ('completed', 'skipped')`],
    parameters,
  )
  return `(${done}) d JOIN (${present}) i ON i.id = d.item_id`
}

const progressColumns = [
  'queue_id',
  'item_id',
  'annotator_user_id',
  'annotation_state',
  'created_at',
  'updated_at',
  'reason',
]

/**
 * For each of the given queues and each person: what they finished of the items that are in it.
 *
 * @param since answers from this time, in microseconds, are recent
 */
export function compileReviewers(
  scope: OverviewScope,
  since: number,
  relations: ProgressRelations,
): Sql<RowOfShape<typeof workShape>> {
  const parameters = new Parameters()
  const finished = finishedSql(scope, relations, parameters)
  const recent = `d.updated_at >= ${parameters.bind({ micros: since })}`
  const isAnswer = `d.annotation_state = 'completed'`
  const text = `SELECT d.queue_id, d.annotator_user_id, count(*) FILTER (${isAnswer}) AS answers,
      count(*) FILTER (${isAnswer} AND ${recent}), count(*) FILTER (d.annotation_state = 'skipped'),
      median(epoch_us(d.updated_at) - epoch_us(d.created_at)) FILTER (${isAnswer} AND d.updated_at > d.created_at)
        / 1e6,
      max(d.updated_at) FILTER (${isAnswer})
    FROM ${finished} GROUP BY d.queue_id, d.annotator_user_id ORDER BY d.queue_id, answers DESC, d.annotator_user_id`
  return { text, values: parameters.values, shape: workShape }
}

const reasonShape = rowShape({ queue_id: 'text', user_id: 'text', reason: 'text', count: 'integer' })

/** How often each person gave each reason for skipping, the most frequent first. */
export function compileSkipReasons(
  scope: OverviewScope,
  relations: ProgressRelations,
): Sql<RowOfShape<typeof reasonShape>> {
  const parameters = new Parameters()
  const finished = finishedSql(scope, relations, parameters)
  const text = `SELECT d.queue_id, d.annotator_user_id, coalesce(d.reason, '') AS why, count(*) AS n
    FROM ${finished} WHERE d.annotation_state = 'skipped'
    GROUP BY d.queue_id, d.annotator_user_id, why ORDER BY n DESC, why, d.annotator_user_id`
  return { text, values: parameters.values, shape: reasonShape }
}

const answeredShape = rowShape({ queue_id: 'text', answers: 'integer', items: 'integer', own_items: 'integer' })

/**
 * How many items of each queue have how many answers, and how many of these `userId` has answered
 * or skipped; items that nobody has answered or skipped are left out.
 */
export function compileItemsByAnswers(
  scope: OverviewScope,
  userId: string,
  relations: ProgressRelations,
): Sql<RowOfShape<typeof answeredShape>> {
  const parameters = new Parameters()
  const finished = finishedSql(scope, relations, parameters)
  const text = `SELECT queue_id, answers, count(*), count(*) FILTER (is_own) FROM (
      SELECT d.queue_id, d.item_id, count(*) FILTER (d.annotation_state = 'completed') AS answers,
        bool_or(d.annotator_user_id = ${parameters.bind(userId)}) AS is_own
      FROM ${finished} GROUP BY d.queue_id, d.item_id)
    GROUP BY queue_id, answers ORDER BY queue_id, answers`
  return { text, values: parameters.values, shape: answeredShape }
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
    ['t.id'],
    [`t.queue_id = ${parameters.bind(queueId)}`, `t.id IN (SELECT unnest(${parameters.bind({ texts: itemIds })}))`],
    parameters,
  )
  return { text, values: parameters.values, shape: itemIdShape }
}
