import { justBefore } from '../lib/time.ts'
import { type Constant, type Expression, textOf, type Value } from './expression.ts'
import { pathOfRow } from './path-of-row.ts'

/**
 * The JSON texts of constants that only JSON strings can equal, as `json_extract` prints them;
 * undefined if one of them may be printed otherwise.
 */
export function jsonTextsOf(constants: readonly Constant[]): string[] | undefined {
  const texts = constants.map(textOf).filter((text) => text !== undefined && isPlainText(text))
  return texts.length === constants.length ? texts.map((text) => JSON.stringify(text)) : undefined
}

/** Whether only a JSON string can have this text, without any escaped character. */
const isPlainText = (text: string): boolean =>
  !/^(true|false)$/.test(text) &&
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes these characters
  !/["\\\u0000-\u001f\u007f\u2028\u2029\ud800-\udfff]/.test(text)

/** Times of a column that can meet a condition: `after` < time ≤ `through`, in microseconds. */
export interface TimeInterval {
  readonly after: number | undefined
  readonly through: number | undefined
}

/**
 * The times of a column in the rows that meet a condition; undefined if it says nothing of them.
 */
export function timesOf(where: Expression, column: string): TimeInterval | undefined {
  let after = Number.NEGATIVE_INFINITY
  let through = Number.POSITIVE_INFINITY
  for (const item of conjuncts(where)) {
    const found = intervalOf(item, column)
    after = Math.max(after, found?.after ?? Number.NEGATIVE_INFINITY)
    through = Math.min(through, found?.through ?? Number.POSITIVE_INFINITY)
  }
  if (after === Number.NEGATIVE_INFINITY && through === Number.POSITIVE_INFINITY) return undefined
  return {
    after: after === Number.NEGATIVE_INFINITY ? undefined : after,
    through: through === Number.POSITIVE_INFINITY ? undefined : through,
  }
}

/**
 * Values, one of which each row that meets a condition has: by column, and by `columnPath` for
 * texts in JSON, as JSON texts.
 */
export function valuesOf(where: Expression): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  for (const item of conjuncts(where)) {
    const equality = equalityOf(item)
    if (equality === undefined) continue
    const { value, constants } = equality
    const column = columnOf(value)
    const path = column === undefined && value.kind === 'cast' ? pathOf(value) : undefined
    const texts =
      column === undefined ? jsonTextsOf(constants) : constants.flatMap((constant) => textOf(constant) ?? [])
    const key = column ?? path
    // An empty text may be stored as null.
    if (key === undefined || texts === undefined || texts.length < constants.length || texts.includes('')) continue
    found.set(key, texts)
  }
  return found
}

/** The operands of AND. */
export const conjuncts = (where: Expression): readonly Expression[] =>
  where.kind === 'all' ? where.items.flatMap(conjuncts) : [where]

function equalityOf(item: Expression): { value: Value; constants: readonly Constant[] } | undefined {
  if (item.kind === 'oneOf') return item.as === 'text' ? item : undefined
  if (item.kind !== 'compare' || item.comparison !== '=' || item.as !== 'text') return undefined
  const { left, right } = item
  if (right.kind === 'constant') return { value: left, constants: [right.constant] }
  return left.kind === 'constant' ? { value: right, constants: [left.constant] } : undefined
}

/** The plain text column of a value. */
function columnOf(value: Value): string | undefined {
  const inner = value.kind === 'orEmpty' ? value.input : value
  if (inner.kind !== 'field' || inner.field.kind !== 'column') return undefined
  const { column, type, spelling } = inner.field
  return type === 'text' && spelling === undefined ? column : undefined
}

const pathOf = ({ isRaw, input }: Extract<Value, { kind: 'cast' }>): string | undefined =>
  isRaw === true && input.kind === 'field' ? pathOfRow(input.field) : undefined

/** The times of a column that meet a condition, if it is about nothing but them. */
export function intervalOf(item: Expression, column: string): TimeInterval | undefined {
  if (item.kind === 'within') {
    const { field, after, through } = item
    return field.kind === 'column' && field.column === column ? { after, through } : undefined
  }
  if (item.kind !== 'compare' || item.as !== 'time') return undefined
  const isMirrored = item.left.kind === 'constant'
  const [value, other] = isMirrored ? [item.right, item.left] : [item.left, item.right]
  if (value.kind !== 'field' || value.field.kind !== 'column' || value.field.column !== column) return undefined
  if (other.kind !== 'constant' || !('micros' in other.constant)) return undefined
  const { micros } = other.constant
  switch (isMirrored ? mirrored[item.comparison] : item.comparison) {
    case '=':
      return { after: justBefore(micros), through: micros }
    case '>':
      return { after: micros, through: undefined }
    case '>=':
      return { after: justBefore(micros), through: undefined }
    case '<':
      return { after: undefined, through: justBefore(micros) }
    case '<=':
      return { after: undefined, through: micros }
    default:
      return undefined
  }
}

const mirrored: Readonly<Record<string, string>> = { '=': '=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' }
