import type { FeedbackType, Field, JsonField } from './catalog.ts'
import type { Comparison } from './grammar.ts'

/** `json` is a value inside a JSON column, whose type varies by row; `texts` is a list of texts. */
export type ValueType = 'text' | 'time' | 'integer' | 'double' | 'boolean' | 'texts' | 'json'

export type Constant =
  | { readonly type: 'text'; readonly value: string }
  /** At most 128 bits. */
  | { readonly type: 'integer'; readonly value: bigint }
  | { readonly type: 'double'; readonly value: number }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'time'; readonly micros: number }
  | { readonly type: ValueType; readonly isNull: true }

/** Types that a value can be converted to; null if it cannot. */
export type CastType = 'text' | 'double' | 'integer' | 'boolean'

/** An expression whose result for a row is a value of one type, or null. */
export type Value =
  | { readonly kind: 'field'; readonly field: Field }
  | { readonly kind: 'constant'; readonly constant: Constant }
  /**
   * `isRaw`: the text of a JSON value as DuckDB prints it, where 5.0 is not "5". Set by a rewrite
   * if that makes no difference.
   */
  | { readonly kind: 'cast'; readonly to: CastType; readonly input: Value; readonly isRaw?: true }
  | { readonly kind: 'size'; readonly input: Value }
  /** The text, or the empty one if it is missing. */
  | { readonly kind: 'orEmpty'; readonly input: Value }
  | { readonly kind: 'truth'; readonly of: Expression }

/**
 * How two values are compared. `number`: by value, each side a number or holding one, integers
 * exactly. `json`: two values inside JSON, as numbers if both are, otherwise as texts.
 */
export type ComparedAs = 'text' | 'integer' | 'double' | 'boolean' | 'time' | 'number' | 'json'

/**
 * Conditions on one row, with SQL's three-valued logic. Immutable: built by the checker,
 * transformed by rewrites, and turned into SQL only by `sql/`.
 */
export type Expression =
  | { readonly kind: 'all'; readonly items: readonly Expression[] }
  | { readonly kind: 'any'; readonly items: readonly Expression[] }
  | { readonly kind: 'not'; readonly item: Expression }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'isNull'; readonly value: Value }
  /** A boolean value as a condition. */
  | { readonly kind: 'isTrue'; readonly value: Value }
  | {
      readonly kind: 'compare'
      readonly comparison: Comparison
      readonly as: ComparedAs
      readonly left: Value
      readonly right: Value
    }
  /**
   * The value equals one of the constants (at least one), compared as texts, doubles, integers or
   * times.
   */
  | {
      readonly kind: 'oneOf'
      readonly value: Value
      readonly as: 'text' | 'integer' | 'double' | 'time'
      readonly constants: readonly Constant[]
    }
  /**
   * The first text contains the second. `prefilterOf`: it only spares parsing JSON for a condition
   * on that field, and is left out where the field has a column of its own.
   */
  | {
      readonly kind: 'contains'
      readonly input: Value
      readonly part: Value
      readonly ignoreCase: boolean
      readonly prefilterOf?: JsonField
    }
  /** The second text is a token of the first. Tokens are runs of letters and digits. */
  | { readonly kind: 'hasToken'; readonly input: Value; readonly token: Value; readonly ignoreCase: boolean }
  /** A list of texts contains the text. */
  | { readonly kind: 'listContains'; readonly list: Value; readonly item: Value; readonly ignoreCase: boolean }
  /**
   * The condition holds for any feedback on the call, of one type and version or of any. For calls
   * without such feedback it is unknown, or false if `isPresenceTest`.
   */
  | {
      readonly kind: 'anyFeedback'
      readonly of: FeedbackType
      readonly condition: Expression
      readonly isPresenceTest: boolean
    }
  /** The condition holds for any annotation queue item of the call; false if it has none. */
  | { readonly kind: 'anyQueueItem'; readonly condition: Expression }
  | { readonly kind: 'startsWith'; readonly field: Field; readonly prefix: string }
  /** A list field contains one of the texts, or a text with one of the prefixes. */
  | {
      readonly kind: 'listHolds'
      readonly field: Field
      readonly texts: readonly string[]
      readonly prefixes: readonly string[]
    }
  /** `after` < field ≤ `through`, in microseconds; either bound may be absent. */
  | {
      readonly kind: 'within'
      readonly field: Field
      readonly after: number | undefined
      readonly through: number | undefined
    }
  /** A text field has one of the values in the column `id` of a temporary table. */
  | { readonly kind: 'inTable'; readonly field: Field; readonly table: string }
  /**
   * Picks a share of the texts of a field, between 0 and 1: those for which the SHA-256 of `salt`,
   * a space and the text is small. The same text always has the same answer.
   */
  | { readonly kind: 'sampled'; readonly field: Field; readonly salt: string; readonly share: number }

export const all = (items: readonly Expression[]): Expression => ({ kind: 'all', items })
export const any = (items: readonly Expression[]): Expression => ({ kind: 'any', items })
/** Whether one of the conditions holds; the condition itself if there is only one. */
export function oneOfAll(items: readonly Expression[]): Expression {
  const [first, ...others] = items
  return first !== undefined && others.length === 0 ? first : any(items)
}

export const not = (item: Expression): Expression => ({ kind: 'not', item })
export const always: Expression = all([])
/** Whether a condition is trivially true. */
export const isAlways = (where: Expression): boolean => where.kind === 'all' && where.items.every(isAlways)
export const never: Expression = any([])
export const unknown: Expression = { kind: 'unknown' }

export const fieldValue = (field: Field): Value => ({ kind: 'field', field })
export const textConstant = (value: string): Constant => ({ type: 'text', value })

/** The text of a constant; undefined for null and other types. */
export const textOf = (constant: Constant): string | undefined =>
  constant.type === 'text' && 'value' in constant ? constant.value : undefined

/** The same of a value; undefined for what is not a constant, too. */
export const constantText = (value: Value): string | undefined =>
  value.kind === 'constant' ? textOf(value.constant) : undefined

/** The field equals one of the texts (at least one). */
export const fieldOneOf = (field: Field, texts: readonly string[]): Expression => ({
  kind: 'oneOf',
  value: fieldValue(field),
  as: 'text',
  constants: texts.map(textConstant),
})

/** The field is one of the times (at least one), in microseconds. */
export const fieldOneOfTimes = (field: Field, micros: readonly number[]): Expression => ({
  kind: 'oneOf',
  value: fieldValue(field),
  as: 'time',
  constants: micros.map((time) => ({ type: 'time', micros: time })),
})

/** The type of a value. */
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

/**
 * A value for comparisons: a column that compares as the empty text if it is missing. Other values
 * are returned unchanged.
 */
export const orEmpty = (value: Value): Value =>
  value.kind === 'field' && value.field.kind === 'column' && value.field.emptyIfMissing
    ? { kind: 'orEmpty', input: value }
    : value
