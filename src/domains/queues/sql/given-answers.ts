import type { Relation } from '../../../lib/relation.ts'
import type { Sql } from '../../../lib/sql.ts'
import { type RowOfShape, rowShape } from '../../../lib/typed-rows.ts'
import { Parameters } from '../../../query/sql/parameters.ts'
import { tableRowsSql } from '../../../query/sql/table-rows.ts'

/** The answers of one queue. */
export interface AnswersScope {
  readonly projectId: string
  readonly queueId: string
  /** Only of this item. */
  readonly itemId?: string | undefined
}

export interface AnswersRelations {
  readonly items: Relation
  readonly progress: Relation
  readonly feedback: Relation
}

const valueSql = `nullif(json_extract(t.payload, '/value')::VARCHAR, 'null')`

/** Items of the queue. @param columns SQL over alias `t` */
const itemsSql = (
  { projectId, queueId, itemId }: AnswersScope,
  relation: Relation,
  columns: readonly string[],
  parameters: Parameters,
): string =>
  tableRowsSql(
    { relation, projectId },
    columns,
    [
      `t.queue_id = ${parameters.bind(queueId)}`,
      ...(itemId === undefined ? [] : [`t.id = ${parameters.bind(itemId)}`]),
    ],
    parameters,
  )

/**
 * CTEs `items`, `done` (who has answered which item) and `given`: the newest answer of each person
 * to each question.
 */
function givenSql(scope: AnswersScope, relations: AnswersRelations, parameters: Parameters): string {
  const { projectId, queueId } = scope
  const items = itemsSql(scope, relations.items, ['t.id', 't.call_id', 't.gold'], parameters)
  const done = tableRowsSql(
    { relation: relations.progress, projectId },
    ['t.item_id', 't.annotator_user_id'],
    [`t.queue_id = ${parameters.bind(queueId)}`, `t.annotation_state = 'completed'`],
    parameters,
  )
  const answers = tableRowsSql(
    { relation: relations.feedback, projectId },
    ['t.id', 't.call_id', 't.ext_user_id', 't.annotation_ref', 't.created_at', `${valueSql} AS value`],
    [
      `t.queue_id = ${parameters.bind(queueId)}`,
      't.annotation_ref IS NOT NULL',
      `starts_with(t.feedback_type, 'ext.annotation.')`,
    ],
    parameters,
  )
  return `items AS (${items}), done AS (${done}),
    given AS (SELECT i.id AS item_id, i.call_id, i.gold, a.annotation_ref, a.ext_user_id AS user_id,
        arg_max(a.value, (a.created_at, a.id)) AS value
      FROM items i JOIN done d ON d.item_id = i.id
        JOIN (${answers}) a ON a.call_id = i.call_id AND a.ext_user_id = d.annotator_user_id
      GROUP BY ALL)`
}

const agreedShape = rowShape({
  item_id: 'text',
  call_id: 'text',
  annotation_ref: 'text',
  value: 'json',
  answers: 'integer',
})

/**
 * The questions to which everybody gave the same answer, of items that have as many answers as
 * asked for. Numbers are compared by their value, anything else as JSON.
 */
export function compileAgreedAnswers(
  scope: AnswersScope,
  reviewersPerItem: number,
  relations: AnswersRelations,
): Sql<RowOfShape<typeof agreedShape>> {
  const parameters = new Parameters()
  const text = `WITH ${givenSql(scope, relations, parameters)},
    whole AS (SELECT item_id FROM done GROUP BY item_id HAVING count(*) >= ${parameters.bind(reviewersPerItem)})
    SELECT item_id, call_id, annotation_ref, min(value), count(*) FROM given SEMI JOIN whole USING (item_id)
    WHERE value IS NOT NULL GROUP BY item_id, call_id, annotation_ref
    HAVING count(DISTINCT coalesce(TRY_CAST(value AS DOUBLE)::VARCHAR, value)) = 1
    ORDER BY item_id, annotation_ref`
  return { text, values: parameters.values, shape: agreedShape }
}

const finalShape = rowShape({
  item_id: 'text',
  id: 'text',
  annotation_ref: 'text?',
  by: 'text?',
  user_id: 'text',
  value: 'json?',
})

/** Final answers that are stored. */
export function compileFinalAnswers(
  scope: AnswersScope,
  relations: Pick<AnswersRelations, 'items' | 'feedback'>,
): Sql<RowOfShape<typeof finalShape>> {
  const parameters = new Parameters()
  const items = itemsSql(scope, relations.items, ['t.id', 't.call_id'], parameters)
  const finals = tableRowsSql(
    { relation: relations.feedback, projectId: scope.projectId },
    [
      't.id',
      't.call_id',
      't.annotation_ref',
      't.ext_user_id',
      `json_extract_string(t.payload, '/by') AS decided_by`,
      `${valueSql} AS value`,
    ],
    [`t.queue_id = ${parameters.bind(scope.queueId)}`, `starts_with(t.feedback_type, 'final_answer.')`],
    parameters,
  )
  const text = `SELECT i.id, f.id, f.annotation_ref, f.decided_by, f.ext_user_id, f.value
    FROM (${finals}) f JOIN (${items}) i ON i.call_id = f.call_id ORDER BY i.id, f.id`
  return { text, values: parameters.values, shape: finalShape }
}

const answeredShape = rowShape({ item_id: 'text', answers: 'integer' })

/** How many people have answered each item. */
export function compileAnsweredItems(
  scope: AnswersScope,
  relations: Pick<AnswersRelations, 'items' | 'progress'>,
): Sql<RowOfShape<typeof answeredShape>> {
  const parameters = new Parameters()
  const items = itemsSql(scope, relations.items, ['t.id'], parameters)
  const done = tableRowsSql(
    { relation: relations.progress, projectId: scope.projectId },
    ['t.item_id'],
    [`t.queue_id = ${parameters.bind(scope.queueId)}`, `t.annotation_state = 'completed'`],
    parameters,
  )
  const text = `SELECT i.id, count(d.item_id) FROM (${items}) i LEFT JOIN (${done}) d ON d.item_id = i.id GROUP BY i.id`
  return { text, values: parameters.values, shape: answeredShape }
}

const goldShape = rowShape({ item_id: 'text', call_id: 'text', gold: 'json' })

/** Items with known answers, in the order in which they were added. */
export function compileGoldItems(scope: AnswersScope, items: Relation): Sql<RowOfShape<typeof goldShape>> {
  const parameters = new Parameters()
  const rows = itemsSql(scope, items, ['t.id', 't.call_id', 't.gold', 't.created_at'], parameters)
  const text = `SELECT id, call_id, gold FROM (${rows}) WHERE gold IS NOT NULL ORDER BY created_at, id`
  return { text, values: parameters.values, shape: goldShape }
}

const goldGivenShape = rowShape({ item_id: 'text', user_id: 'text', annotation_ref: 'text?', value: 'json?' })

/** What each person answered to items with known answers; at least a row for each of both. */
export function compileGoldAnswers(
  scope: AnswersScope,
  relations: AnswersRelations,
): Sql<RowOfShape<typeof goldGivenShape>> {
  const parameters = new Parameters()
  const text = `WITH ${givenSql(scope, relations, parameters)}
    SELECT i.id, d.annotator_user_id, g.annotation_ref, g.value
    FROM items i JOIN done d ON d.item_id = i.id
      LEFT JOIN given g ON g.item_id = i.id AND g.user_id = d.annotator_user_id
    WHERE i.gold IS NOT NULL ORDER BY i.id, d.annotator_user_id, g.annotation_ref`
  return { text, values: parameters.values, shape: goldGivenShape }
}
