import { feedbackTable } from '../../engine/tables/feedback-table.ts'
import { queueItemsTable } from '../../engine/tables/queue-tables.ts'
import { kindOf, neutralFeedbackType } from '../../formats/dialect/feedback-type.ts'
import { operationLimits } from '../../lib/limits/operations.ts'
import type { ProjectWriter } from '../access/index.ts'
import { type HeavyQuestions, planPricedRows, pricedRelations, tablesOf } from '../calls/index.ts'
import type { Costs } from '../costs/index.ts'
import type { AddByQuery, AddedByQuery, Disagreement, Judgement } from './model/add-by-query.ts'
import type { QueueItems } from './queue-items.ts'
import type { QueueDependencies, Queues } from './queues.ts'
import { compileMatchingCalls, type DisagreementPlan } from './sql/matching-calls.ts'

interface Fill {
  readonly store: QueueDependencies['store']
  readonly queues: Queues
  readonly items: QueueItems
  readonly costs: Costs
  readonly heavy: HeavyQuestions
  readonly signal: AbortSignal
}

const displayed = ['inputs', 'output']

/**
 * Adds the calls that match a filter, or on which two scorers disagree, to a queue. The same
 * request again adds those that match since then.
 *
 * @throws DomainError NotFound, InvalidField, InvalidRequest, RequestCancelled
 */
export async function addByQuery(
  { store, queues, items, costs, heavy, signal }: Fill,
  writer: ProjectWriter,
  queueId: string,
  request: Omit<AddByQuery, 'project_id'>,
): Promise<AddedByQuery> {
  await queues.require(writer, queueId)
  const { filter, query, disagreement, limit, sample_seed, count_only, display_fields, engine } = request
  const { projectId } = writer
  const plan = planPricedRows(writer, { filter, query })
  const compared = disagreement == null ? undefined : planOf(disagreement)
  const tables = [...tablesOf(plan), queueItemsTable.name, ...(compared === undefined ? [] : [feedbackTable.name])]
  const scope = { tables: [...new Set(tables)], projectId, signal, engine }
  const rows = await heavy.read(store, scope, async (snapshot, search) => {
    const found = await search.narrowed({ plan, relations: await pricedRelations(costs, snapshot, plan, writer) })
    const matching = {
      plan: found.plan,
      queueId,
      disagreement: compared,
      limit: limit ?? operationLimits.queueCallsPerRequestMax,
      seed: sample_seed ?? undefined,
    }
    const sql = compileMatchingCalls(matching, {
      calls: found.relations,
      items: snapshot.relation(queueItemsTable.name, { queue_id: [queueId] }),
      feedback: compared && snapshot.relation(feedbackTable.name),
    })
    return await snapshot.rows(sql)
  })
  const chosen = rows.filter(({ id }) => id !== '')
  const counts = {
    matched_count: rows[0]?.matched ?? 0,
    in_queue_count: rows[0]?.inQueue ?? 0,
    chosen_count: chosen.length,
  }
  if (count_only === true || chosen.length === 0)
    return { ...counts, added_count: 0, duplicates: chosen.filter(({ isIn }) => isIn === 1).length }
  const call_ids = chosen.map(({ id }) => id)
  const added = await items.add(writer, queueId, { call_ids, display_fields: display_fields ?? displayed })
  return { ...counts, ...added }
}

const planOf = ({ first, second, apart }: Disagreement): DisagreementPlan => ({
  first: judged(first),
  second: judged(second),
  apart: apart ?? 0,
})

function judged({ feedback_type, path }: Judgement): DisagreementPlan['first'] {
  const type = neutralFeedbackType(feedback_type)
  const usual = kindOf(type).kind === 'annotation' ? 'value' : 'output'
  return { type, path: (path || usual).split('.') }
}
