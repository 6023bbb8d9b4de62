import type { Relation } from '../../../lib/relation.ts'
import type { Sql } from '../../../lib/sql.ts'
import { type RowOfShape, rowShape } from '../../../lib/typed-rows.ts'
import { feedbackEntriesSql } from '../../../query/sql/feedback-entries.ts'
import { orderSql, pageSql } from '../../../query/sql/order.ts'
import { Parameters } from '../../../query/sql/parameters.ts'
import { scopeOf } from '../../../query/sql/rows.ts'
import { tableRowsSql } from '../../../query/sql/table-rows.ts'
import type { QueueItemsPlan } from '../plan/queue-items-plan.ts'

export interface QueueItemsRelations {
  readonly items: Relation
  readonly progress: Relation
  /** Required if the plan reads feedback. */
  readonly feedback?: Relation | undefined
}

const itemShape = rowShape({
  id: 'text',
  queue_id: 'text',
  call_id: 'text',
  call_started_at: 'time',
  call_ended_at: 'time?',
  call_op_name: 'text',
  call_trace_id: 'text',
  display_fields: 'texts',
  created_by: 'text',
  compared_call_id: 'text?',
  annotation_state: 'text',
  annotator_user_id: 'text?',
  created_at: 'time',
  updated_at: 'time',
  position: 'integer',
  entries: 'text?',
})
const stored = itemShape.columns.slice(0, 10)

export type QueueItemCells = RowOfShape<typeof itemShape>

/**
 * Items in order, each with the state that any annotator has set last, its position in the whole
 * queue and, if requested, the feedback given in the queue as JSON objects joined by commas.
 */
export function compileQueueItems(plan: QueueItemsPlan, relations: QueueItemsRelations): Sql<QueueItemCells> {
  const parameters = new Parameters()
  const { projectId, queueId } = plan
  const ofQueue = [`t.queue_id = ${parameters.bind(queueId)}`]
  const items = tableRowsSql(
    { relation: relations.items, projectId },
    [...stored, 'created_at'].map((name) => `t."${name}"`),
    ofQueue,
    parameters,
  )
  const progress = tableRowsSql(
    { relation: relations.progress, projectId },
    ['id', 'item_id', 'annotation_state', 'annotator_user_id', 'updated_at'].map((name) => `t."${name}"`),
    ofQueue,
    parameters,
  )
  const terms = [
    ...Object.entries(plan.equals).map(([column, value]) => `n."${column}" = ${parameters.bind(value)}`),
    ...(plan.states.length === 0
      ? []
      : [`list_contains(${parameters.bind({ texts: plan.states })}, n.annotation_state)`]),
  ]
  const where = terms.length === 0 ? '' : ` WHERE ${terms.join(' AND ')}`
  const { columns, join } = entriesSql(plan, relations, parameters)
  const order = orderSql(plan.sort, scopeOf('i', { projectId }, parameters))
  const text = `WITH progress AS (
      SELECT item_id, max(updated_at) AS changed_at, arg_max(annotation_state, (updated_at, id)) AS state,
        arg_max(annotator_user_id, (updated_at, id)) AS annotator${answersSql(plan, parameters)}
      FROM (${progress}) GROUP BY item_id),
    items AS (
      SELECT i.*, coalesce(p.state, 'unstarted') AS annotation_state, p.annotator AS annotator_user_id,
        greatest(i.created_at, coalesce(p.changed_at, i.created_at)) AS updated_at
      FROM (${items}) i LEFT JOIN progress p ON p.item_id = i.id),${shownSql(plan, parameters)}
    numbered AS (SELECT *, row_number() OVER (ORDER BY ${order}) AS position FROM items i)
    SELECT ${columns} FROM numbered n${join}${where} ORDER BY n.position${pageSql(plan, parameters)}`
  return { text, values: parameters.values, shape: itemShape }
}

/** The number of answers, and whether the reviewer has given one. */
const answersSql = ({ reviewer }: QueueItemsPlan, parameters: Parameters): string =>
  reviewer === undefined
    ? ''
    : `,
        count(*) FILTER (annotation_state = 'completed') AS answers,
        bool_or(annotation_state = 'completed' AND annotator_user_id = ${parameters.bind(reviewer.userId)}) AS is_own`

/** Calls of items that the reviewer has answered, or that have all their answers. */
const shownSql = ({ reviewer }: QueueItemsPlan, parameters: Parameters): string =>
  reviewer === undefined
    ? ''
    : `
    shown AS (SELECT i.call_id FROM items i JOIN progress p ON p.item_id = i.id
      WHERE p.is_own OR p.answers >= ${parameters.bind(reviewer.reviewersPerItem)}),`

function entriesSql(
  { projectId, queueId, feedback, reviewer }: QueueItemsPlan,
  relations: QueueItemsRelations,
  parameters: Parameters,
): { columns: string; join: string } {
  const own = itemShape.columns.slice(0, -1).map((name) => `n."${name}"`)
  if (feedback === undefined) return { columns: [...own, 'NULL'].join(', '), join: '' }
  const terms = [`t.queue_id = ${parameters.bind(queueId)}`]
  if (reviewer !== undefined)
    terms.push(`(t.ext_user_id = ${parameters.bind(reviewer.userId)} OR t.call_id IN (SELECT call_id FROM shown))`)
  const rows = feedbackEntriesSql(relations.feedback, { projectId, output: feedback, terms }, parameters)
  return {
    columns: [...own, `coalesce(f."entries", '')`].join(', '),
    join: ` LEFT JOIN (${rows}) f ON f.call_id = n.call_id`,
  }
}

/** The existing ones of the given calls: id, start, end, op, trace. */
export function compileCallsToAdd(projectId: string, callIds: readonly string[], calls: Relation): Sql {
  const parameters = new Parameters()
  const text = tableRowsSql(
    { relation: calls, projectId },
    ['t.id', 't.started_at', 't.ended_at', 't.op_name', 't.trace_id'],
    [`t.id IN (SELECT unnest(${parameters.bind({ texts: callIds })}))`],
    parameters,
  )
  return { text, values: parameters.values }
}

const callIdShape = rowShape({ id: 'text', compared: 'text?' })

/**
 * The ids of the given calls that are in the queue, each with the call that it is compared with.
 */
export function compileCallsInQueue(
  { projectId, queueId }: { readonly projectId: string; readonly queueId: string },
  callIds: readonly string[],
  items: Relation,
): Sql<RowOfShape<typeof callIdShape>> {
  const parameters = new Parameters()
  const text = tableRowsSql(
    { relation: items, projectId },
    ['t.call_id', 't.compared_call_id'],
    [
      `t.queue_id = ${parameters.bind(queueId)}`,
      `t.call_id IN (SELECT unnest(${parameters.bind({ texts: callIds })}))`,
    ],
    parameters,
  )
  return { text, values: parameters.values, shape: callIdShape }
}

const queueStatsShape = rowShape({ id: 'text', total: 'integer', completed: 'integer' })

/**
 * For each of the given queues with items: its id, its number of items, and how many of them an
 * annotator has finished.
 */
export function compileQueueStats(
  projectId: string,
  queueIds: readonly string[],
  { items, progress }: Omit<QueueItemsRelations, 'feedback'>,
): Sql<RowOfShape<typeof queueStatsShape>> {
  const parameters = new Parameters()
  const ofQueues = [`list_contains(${parameters.bind({ texts: queueIds })}, t.queue_id)`]
  const allItems = tableRowsSql({ relation: items, projectId }, ['t.id', 't.queue_id'], ofQueues, parameters)
  const done = tableRowsSql(
    { relation: progress, projectId },
    ['t.item_id'],
    [...ofQueues, `t.annotation_state IN ('completed', 'skipped')`],
    parameters,
  )
  const text = `SELECT i.queue_id, count(*), count(d.item_id)
    FROM (${allItems}) i LEFT JOIN (SELECT DISTINCT item_id FROM (${done})) d ON d.item_id = i.id GROUP BY i.queue_id`
  return { text, values: parameters.values, shape: queueStatsShape }
}
