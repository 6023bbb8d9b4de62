import type { Relation } from '../../../lib/relation.ts'
import type { Sql } from '../../../lib/sql.ts'
import { type RowOfShape, rowShape } from '../../../lib/typed-rows.ts'
import { Parameters } from '../../../query/sql/parameters.ts'
import { tableRowsSql } from '../../../query/sql/table-rows.ts'

const finishedShape = rowShape({
  item_id: 'text',
  call_id: 'text',
  call_op_name: 'text',
  position: 'integer',
  user_id: 'text',
  state: 'text',
  reason: 'text?',
  finished_at: 'time',
})

interface FinishedItems {
  readonly projectId: string
  readonly queueId: string
  /** Only what this person finished. */
  readonly userId: string | undefined
  readonly states: readonly string[]
  readonly limit: number
  readonly offset: number
}

/** What people finished of the items that are in a queue, the latest first. */
export function compileFinishedItems(
  { projectId, queueId, userId, states, limit, offset }: FinishedItems,
  { items, progress }: { readonly items: Relation; readonly progress: Relation },
): Sql<RowOfShape<typeof finishedShape>> {
  const parameters = new Parameters()
  const ofQueue = [`t.queue_id = ${parameters.bind(queueId)}`]
  const present = tableRowsSql(
    { relation: items, projectId },
    ['t.id', 't.call_id', 't.call_op_name', 't.created_at'],
    ofQueue,
    parameters,
  )
  const finished = tableRowsSql(
    { relation: progress, projectId },
    ['item_id', 'annotator_user_id', 'annotation_state', 'reason', 'updated_at'].map((name) => `t."${name}"`),
    [
      ...ofQueue,
      `list_contains(${parameters.bind({ texts: states })}, t.annotation_state)`,
      ...(userId === undefined ? [] : [`t.annotator_user_id = ${parameters.bind(userId)}`]),
    ],
    parameters,
  )
  const text = `WITH items AS (SELECT *, row_number() OVER (ORDER BY created_at, id) AS position FROM (${present}))
    SELECT f.item_id, i.call_id, i.call_op_name, i.position, f.annotator_user_id, f.annotation_state, f.reason,
      f.updated_at
    FROM (${finished}) f JOIN items i ON i.id = f.item_id ORDER BY f.updated_at DESC, f.item_id, f.annotator_user_id
    LIMIT ${parameters.bind(limit)} OFFSET ${parameters.bind(offset)}`
  return { text, values: parameters.values, shape: finishedShape }
}
