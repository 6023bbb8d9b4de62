import type { Field } from './catalog.ts'
import type { Comparison } from './grammar.ts'

/** `json` is a value inside a JSON column, whose own type differs from row to row; `texts` a list of texts. */
export type ValueType = 'text' | 'time' | 'integer' | 'double' | 'boolean' | 'texts' | 'json'

export type Constant =
  | { readonly type: 'text'; readonly value: string }
  /** Within 128 bits. */
  | { readonly type: 'integer'; readonly value: bigint }
  | { readonly type: 'double'; readonly value: number }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'time'; readonly micros: number }
  | { readonly type: ValueType; readonly isNull: true }

/** Types that a value can be turned into; null where it cannot. */
export type CastType = 'text' | 'double' | 'integer' | 'boolean'

/** What a row yields: a value of one type, or null. */
export type Value =
  | { readonly kind: 'field'; readonly field: Field }
  | { readonly kind: 'constant'; readonly constant: Constant }
  /** `isRaw`: of a value inside JSON the text as DuckDB prints it, so that 5.0 is not "5". Made by a rewrite where that is the same. */
  | { readonly kind: 'cast'; readonly to: CastType; readonly input: Value; readonly isRaw?: true }
  | { readonly kind: 'size'; readonly input: Value }
  /** The text, or the empty one where it is missing. */
  | { readonly kind: 'orEmpty'; readonly input: Value }
  | { readonly kind: 'truth'; readonly of: Expression }

/**
 * How two values are compared. `number`: by value, each side a number or a number inside JSON, integers exactly. `json`: two values
 * inside JSON, as numbers where both are, else as texts.
 */
export type ComparedAs = 'text' | 'integer' | 'double' | 'boolean' | 'time' | 'number' | 'json'

/**
 * Conditions on one row, three-valued as in SQL. Trees are never changed in place; made by parsers and `check`, changed by rewrites,
 * turned into SQL by `sql/` alone.
 */
export type Expression =
  | { readonly kind: 'all'; readonly items: readonly Expression[] }
  | { readonly kind: 'any'; readonly items: readonly Expression[] }
  | { readonly kind: 'not'; readonly item: Expression }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'isNull'; readonly value: Value }
  /** A boolean value, as a condition. */
  | { readonly kind: 'isTrue'; readonly value: Value }
  | {
      readonly kind: 'compare'
      readonly comparison: Comparison
      readonly as: ComparedAs
      readonly left: Value
      readonly right: Value
    }
  /** The value equals one of the constants (at least one), compared as texts, doubles, integers or times. */
  | {
      readonly kind: 'oneOf'
      readonly value: Value
      readonly as: 'text' | 'integer' | 'double' | 'time'
      readonly constants: readonly Constant[]
    }
  /** Of two texts: the first contains the second. */
  | { readonly kind: 'contains'; readonly input: Value; readonly part: Value; readonly ignoreCase: boolean }
  /** Of two texts: the second is one of the tokens of the first, which end at whatever is neither letter nor digit. */
  | { readonly kind: 'hasToken'; readonly input: Value; readonly token: Value; readonly ignoreCase: boolean }
  /** A list of texts holds the text. */
  | { readonly kind: 'listContains'; readonly list: Value; readonly item: Value; readonly ignoreCase: boolean }
  /**
   * The condition holds for any of the call's feedback (of a type, or of any). Of a call without such feedback it is unknown, or
   * false where `isPresenceTest`.
   */
  | {
      readonly kind: 'anyFeedback'
      readonly feedbackType: string | undefined
      readonly condition: Expression
      readonly isPresenceTest: boolean
    }
  /** The condition holds for any of the places that the call has in annotation queues; false where it has none. */
  | { readonly kind: 'anyQueueItem'; readonly condition: Expression }
  | { readonly kind: 'startsWith'; readonly field: Field; readonly prefix: string }
  /** A list field holds one of the texts, or a text that starts with one of the prefixes. */
  | {
      readonly kind: 'listHolds'
      readonly field: Field
      readonly texts: readonly string[]
      readonly prefixes: readonly string[]
    }
  /** `after` < field ≤ `through`; an absent bound does not bind. Microseconds. */
  | {
      readonly kind: 'within'
      readonly field: Field
      readonly after: number | undefined
      readonly through: number | undefined
    }

export const all = (items: readonly Expression[]): Expression => ({ kind: 'all', items })
export const any = (items: readonly Expression[]): Expression => ({ kind: 'any', items })
export const not = (item: Expression): Expression => ({ kind: 'not', item })
export const always: Expression = all([])
/** Whether a condition holds for every row, as far as its form tells. */
export const isAlways = (where: Expression): boolean => where.kind === 'all' && where.items.every(isAlways)
export const never: Expression = any([])
export const unknown: Expression = { kind: 'unknown' }

export const fieldValue = (field: Field): Value => ({ kind: 'field', field })
export const textConstant = (value: string): Constant => ({ type: 'text', value })

/** The field is one of the texts (at least one). */
export const fieldOneOf = (field: Field, texts: readonly string[]): Expression => ({
  kind: 'oneOf',
  value: fieldValue(field),
  as: 'text',
  constants: texts.map(textConstant),
})

/** Type of what a value yields. */
export function typeOf(value: Value): ValueType {
  switch (value.kind) {
    case 'field':
      return value.field.kind === 'json' ? 'json' : value.field.type
    case 'constant':
      return value.constant.type
    case 'cast':
      return value.to
    case 'size':
      return 'integer'
    case 'orEmpty':
      return 'text'
    case 'truth':
      return 'boolean'
  }
}
