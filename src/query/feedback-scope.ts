import { type Field, isOfFeedback, isOfQueue } from './catalog.ts'
import { type Expression, not, type Value } from './expression.ts'
import { invalidQuery } from './parse/parse.ts'
import type { Location } from './parse/syntax.ts'

/**
 * Scopes a condition on feedback to any feedback on the call, and one on queues to any queue of the
 * call. Other conditions are returned unchanged.
 *
 *   { f.score > 4 } => { anyFeedback(f.score > 4) }
 *
 * @throws DomainError InvalidRequest for a comparison of feedback of two types, or of feedback with
 *   queues
 */
export function overFeedback(condition: Expression, at: Location, isPresenceTest = false): Expression {
  const related = directRelatedFields(condition)
  const types = new Map(
    related.flatMap((field) =>
      'of' in field && field.of ? [[`${field.of.feedbackType ?? '*'}:${field.of.version ?? ''}`, field.of]] : [],
    ),
  )
  if (related.some(isOfQueue)) {
    if (types.size > 0) throw invalidQuery(at, 'feedback cannot be compared with queues')
    return { kind: 'anyQueueItem', condition }
  }
  if (types.size === 0) return condition
  if (types.size > 1) throw invalidQuery(at, 'feedback of one type cannot be compared with feedback of another')
  const [of = { feedbackType: undefined }] = types.values()
  return { kind: 'anyFeedback', of, condition, isPresenceTest }
}

/** Whether a value is present: neither missing nor null. Never unknown. */
export function present(value: Value, at: Location): Expression {
  return overFeedback(not({ kind: 'isNull', value }), at, true)
}

/**
 * The fields of feedback and queues that a condition names itself, without those of nested
 * conditions, which have their own scope.
 */
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
