import { DomainError } from '../../lib/errors.ts'
import type { Relation } from '../../lib/relation.ts'
import type { QueueRelations } from '../calls-plan.ts'
import type { FeedbackType } from '../catalog.ts'
import type { Expression } from '../expression.ts'
import { branchSourceSql, projectRestriction } from './branch.ts'
import type { Scope } from './scope.ts'
import { tableRowsSql } from './table-rows.ts'

/**
 * Whether a condition holds for any queue item of the call. Never unknown: a call is in a queue or
 * it is not.
 */
export function queueItemRowsSql({ condition }: Extract<Expression, { kind: 'anyQueueItem' }>, scope: Scope): string {
  const inner = { ...scope, queueItemAlias: 'q' }
  const rows = queueItemsOfCall(['id'], inner, () => `(${scope.conditionSql(condition, inner)}) AS holds`)
  return `coalesce((SELECT bool_or(holds) FROM (${rows})), false)`
}

/** One value of the newest queue item of the call, for sorting. */
export function newestQueueItemSql(scope: Scope, value: (inner: Scope) => string): string {
  const inner = { ...scope, queueItemAlias: 'q' }
  const rows = queueItemsOfCall(['created_at', 'id'], inner, () => `${value(inner)} AS value`)
  return `(SELECT arg_max(value, (created_at, id)) FROM (${rows}))`
}

/** Queue items of the call, except those of deleted queues. */
function queueItemsOfCall(columns: readonly string[], scope: Scope, extra: () => string): string {
  const { queues, items } = relationsOf(scope)
  const { alias, parameters, projectId } = scope
  const branches = items.branches.map((branch) => {
    const live = tableRowsSql({ relation: queues, projectId }, ['t.id'], ['t.deleted_at IS NULL'], parameters)
    const terms = [
      ...projectRestriction(items, branch, 'q', scope),
      `q."call_id" = ${alias}."id"`,
      `q."queue_id" IN (${live})`,
    ]
    const list = [...columns.map((name) => `q."${name}"`), extra()]
    return `SELECT ${list.join(', ')} FROM ${branchSourceSql(branch, parameters)} q WHERE ${terms.join(' AND ')}`
  })
  return branches.join(' UNION ALL ')
}

function relationsOf({ queues }: Scope): QueueRelations {
  if (queues !== undefined) return queues
  throw new DomainError('NotImplemented', 'Cannot read an annotation queue field: this store has no annotation queues')
}

/** @throws DomainError NotImplemented for a store without feedback */
function feedbackRelation(scope: Scope): Relation {
  if (scope.feedback !== undefined) return scope.feedback
  throw new DomainError('NotImplemented', 'Cannot read a feedback field: this store has no feedback')
}

/**
 * Whether a condition holds for any feedback on the call; without feedback unknown, or false for a
 * presence test.
 */
export function feedbackRowsSql(
  { of, condition, isPresenceTest }: Extract<Expression, { kind: 'anyFeedback' }>,
  scope: Scope,
): string {
  const inner = { ...scope, feedbackAlias: 'f' }
  const rows = rowsOfCall(of, ['id'], inner, () => `(${scope.conditionSql(condition, inner)}) AS holds`)
  const holds = `(SELECT bool_or(holds) FROM (${rows}))`
  return isPresenceTest ? `coalesce(${holds}, false)` : holds
}

/** One value of the newest feedback on the call, for sorting. */
export function newestFeedbackSql(of: FeedbackType, scope: Scope, value: (inner: Scope) => string): string {
  const inner = { ...scope, feedbackAlias: 'f' }
  const rows = rowsOfCall(of, ['created_at', 'id'], inner, () => `${value(inner)} AS value`)
  return `(SELECT arg_max(value, (created_at, id)) FROM (${rows}))`
}

function rowsOfCall(
  { feedbackType, version }: FeedbackType,
  columns: readonly string[],
  scope: Scope,
  extra: () => string,
): string {
  const relation = feedbackRelation(scope)
  const { alias, parameters } = scope
  const branches = relation.branches.map((branch) => {
    const terms = [
      ...projectRestriction(relation, branch, 'f', scope),
      `f."call_id" = ${alias}."id"`,
      ...(feedbackType === undefined ? [] : [`f."feedback_type" = ${parameters.bind(feedbackType)}`]),
      ...(version === undefined ? [] : [`ends_with(f."runnable_ref", ${parameters.bind(`:${version}`)})`]),
    ]
    const items = [...columns.map((name) => `f."${name}"`), extra()]
    return `SELECT ${items.join(', ')} FROM ${branchSourceSql(branch, parameters)} f WHERE ${terms.join(' AND ')}`
  })
  return branches.join(' UNION ALL ')
}
