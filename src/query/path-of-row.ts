import { columnPath, jsonPointer, shownColumn } from '../kernel/json-pointer.ts'
import { type Field, ofSpan } from './catalog.ts'
import type { Expression } from './expression.ts'
import { isInSpan, spanPlace } from './span-field.ts'
import { visitFields } from './walk.ts'

/**
 * The path of a JSON value of the row itself, as data files name it; undefined for any other field,
 * and for values that depend on refs, or on columns of which a span is put together.
 */
export function pathOfRow(field: Field): string | undefined {
  if (field.kind !== 'json' || field.path.length === 0 || field.of !== undefined) return undefined
  if ((field.expanded ?? []).length > 0) return undefined
  const span = ofSpan(field)
  const place = span ?? field
  if (isInSpan(place) && spanPlace(place) !== 'dump') return undefined
  // Data files name a span that is shown as a member apart from members that users sent.
  if (span !== undefined) return columnPath(shownColumn('attributes', 'otel_span'), jsonPointer(span.path))
  return columnPath(field.column, jsonPointer(field.path))
}

/** The paths of rows that a question reads, as data files name them. */
export function pathsRead(where: Expression, fields: readonly Field[]): string[] {
  const paths = new Set<string>()
  const add = (field: Field) => {
    const path = pathOfRow(field)
    if (path !== undefined) paths.add(path)
  }
  visitFields(where, add)
  fields.forEach(add)
  return [...paths]
}
