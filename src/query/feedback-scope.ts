import type { FeedbackType } from './catalog.ts'
import { type Expression, not, type Value } from './expression.ts'
import { meaningless } from './parse.ts'
import type { Location } from './syntax.ts'

/**
 * A condition on feedback holds if it holds for any feedback of the call. Conditions without feedback fields stay as they are.
 *
 * @throws DomainError InvalidRequest where feedback of two types is compared with each other
 */
export function overFeedback(condition: Expression, at: Location, isPresenceTest = false): Expression {
  const types = new Map(ownFeedback(condition).map(({ feedbackType }) => [feedbackType ?? '*', feedbackType]))
  if (types.size === 0) return condition
  if (types.size > 1) throw meaningless(at, 'feedback of one type is not compared with feedback of another')
  const [feedbackType] = types.values()
  return { kind: 'anyFeedback', feedbackType, condition, isPresenceTest }
}

/** Whether a value is there: not missing and not null. Never unknown. */
export function present(value: Value, at: Location): Expression {
  return overFeedback(not({ kind: 'isNull', value }), at, true)
}

/** Feedback fields of a condition, without those of conditions inside it, which have a scope of their own. */
function ownFeedback(condition: Expression): FeedbackType[] {
  switch (condition.kind) {
    case 'all':
    case 'any':
      return condition.items.flatMap(ownFeedback)
    case 'not':
      return ownFeedback(condition.item)
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

function ofValue(value: Value): FeedbackType[] {
  switch (value.kind) {
    case 'field':
      return 'of' in value.field && value.field.of !== undefined ? [value.field.of] : []
    case 'cast':
    case 'size':
      return ofValue(value.input)
    default:
      return []
  }
}
