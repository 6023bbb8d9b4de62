import type { Field } from './catalog.ts'
import { all, type Expression } from './expression.ts'
import { pathOfRow } from './path-of-row.ts'
import { conjuncts, intervalOf, type TimeInterval, timesOf, valuesOf } from './row-bounds.ts'
import { visitFields } from './walk.ts'

/** A condition on times, and on one other field. */
export interface DecidingField {
  /** Its column, or its `columnPath`. */
  readonly key: string
  /** The condition without that on times. */
  readonly where: Expression
  readonly times: TimeInterval | undefined
}

/** The column of a text field, or the `columnPath` of a value in JSON: indexes know it by that. */
export function keyOfField(field: Field): string | undefined {
  if (field.kind !== 'column') return pathOfRow(field)
  return field.type === 'text' && field.spelling === undefined ? field.column : undefined
}

/**
 * The only field that decides whether a row within some times meets the condition, if there is one.
 */
export function decidingField(where: Expression, timeColumn: string): DecidingField | undefined {
  const others = conjuncts(where).filter((item) => intervalOf(item, timeColumn) === undefined)
  const keys = new Set<string | undefined>()
  for (const item of others) {
    if (readsOtherRows(item)) return undefined
    for (const field of prefilteredFields(item) ?? fieldsIn(item)) keys.add(keyOfField(field))
  }
  const [key] = keys
  if (keys.size !== 1 || key === undefined) return undefined
  return { key, where: all(others), times: timesOf(where, timeColumn) }
}

/** The times that a condition asks for, if it asks for nothing else. */
export function onlyTimes(
  where: Expression,
  timeColumn: string,
): { readonly times: TimeInterval | undefined } | undefined {
  const isOnly = conjuncts(where).every((item) => intervalOf(item, timeColumn) !== undefined)
  return isOnly ? { times: timesOf(where, timeColumn) } : undefined
}

/**
 * The texts, as indexes know them, one of which the value of a field has if and only if the
 * condition is met; undefined if the condition says anything else.
 */
export function decidingTexts({ key, where }: DecidingField): readonly string[] | undefined {
  const conditions = conjuncts(where).filter((item) => prefilteredFields(item) === undefined)
  return conditions.length === 1 ? valuesOf(where).get(key) : undefined
}

/**
 * The fields of a search that only spares parsing the JSON of rows, which is not read here;
 * undefined for any other condition. The JSON of a span may be in one of two columns.
 */
function prefilteredFields(item: Expression): readonly Field[] | undefined {
  if (item.kind === 'contains') return item.prefilterOf && [item.prefilterOf]
  if (item.kind !== 'any') return undefined
  const fields = item.items.map(prefilteredFields).filter((some) => some !== undefined)
  return fields.length === item.items.length && fields.length > 0 ? fields.flat() : undefined
}

function fieldsIn(item: Expression): readonly Field[] {
  const fields: Field[] = []
  visitFields(item, (field) => void fields.push(field))
  return fields
}

const readsOtherRows = ({ kind }: Expression): boolean => kind === 'anyFeedback' || kind === 'anyQueueItem'
