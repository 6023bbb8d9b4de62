import { type Field, isOfFeedback, isOfQueue } from './catalog.ts'
import { type Expression, not, type Value } from './expression.ts'
import { invalidQuery } from './parse.ts'
import type { Location } from './syntax.ts'

/**
 * A condition on feedback holds if it holds for any feedback of the call, and one on queues if it holds for any queue that the call
 * is in. Other conditions stay as they are.
 *
 * @throws DomainError InvalidRequest where feedback of two types is compared with each other, or with queues
 */
export function overFeedback(condition: Expression, at: Location, isPresenceTest = false): Expression {
  const related = directRelatedFields(condition)
  const types = new Map(
    related.flatMap((field) =>
      'of' in field && field.of ? [[field.of.feedbackType ?? '*', field.of.feedbackType]] : [],
    ),
  )
  if (related.some(isOfQueue)) {
    if (types.size > 0) throw invalidQuery(at, 'feedback is not compared with queues')
    return { kind: 'anyQueueItem', condition }
  }
  if (types.size === 0) return condition
  if (types.size > 1) throw invalidQuery(at, 'feedback of one type is not compared with feedback of another')
  const [feedbackType] = types.values()
  return { kind: 'anyFeedback', feedbackType, condition, isPresenceTest }
}

/** Whether a value is there: not missing and not null. Never unknown. */
export function present(value: Value, at: Location): Expression {
  return overFeedback(not({ kind: 'isNull', value }), at, true)
}

/** Fields of feedback and of queues in a condition, without those of conditions inside it, which have a scope of their own. */
function directRelatedFields(condition: Expression): Field[] {
  switch (condition.kind) {
    case 'all':
    case 'any':
      return condition.items.flatMap(directRelatedFields)
    case 'not':
      return directRelatedFields(condition.item)
    case 'isNull':
    case 'isTrue':
    case 'oneOf':
      return ofValue(condition.value)
    case 'compare':
      return [...ofValue(condition.left), ...ofValue(condition.right)]
    case 'contains':
      return [...ofValue(condition.input), ...ofValue(condition.part)]
    case 'hasToken':
      return [...ofValue(condition.input), ...ofValue(condition.token)]
    case 'listContains':
      return [...ofValue(condition.list), ...ofValue(condition.item)]
    default:
      return []
  }
}

function ofValue(value: Value): Field[] {
  switch (value.kind) {
    case 'field':
      return isOfFeedback(value.field) || isOfQueue(value.field) ? [value.field] : []
    case 'cast':
    case 'size':
    case 'orEmpty':
      return ofValue(value.input)
    default:
      return []
  }
}
