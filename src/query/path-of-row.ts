import { columnPath, jsonPointer, sharedMembers, shownColumn } from '../lib/json-pointer.ts'
import { type Field, ofSpan } from './catalog.ts'
import type { Expression } from './expression.ts'
import { isInSpan, type SpanPlace, spanPlace } from './span-field.ts'
import { visitFields } from './walk.ts'

/**
 * The path of a JSON value of the row itself, as data files name it; undefined for any other field,
 * and for values that depend on refs, or on columns of which a span is put together.
 */
export const pathOfRow = (field: Field): string | undefined => pathAmong(['dump'], field)

/** `pathOfRow`, also of values in what spans share, for which data files have no path columns. */
export const textPathOf = (field: Field): string | undefined => pathAmong(['dump', 'group'], field)

function pathAmong(places: readonly SpanPlace[], field: Field): string | undefined {
  if (field.kind !== 'json' || field.path.length === 0 || field.of !== undefined) return undefined
  if ((field.expanded ?? []).length > 0) return undefined
  const span = ofSpan(field)
  const place = span ?? field
  if (isInSpan(place) && !places.includes(spanPlace(place))) return undefined
  if (span !== undefined) return columnPath(shownSpan, jsonPointer(span.path))
  return columnPath(field.column, jsonPointer(field.path))
}

/** Data files name a span that is shown as a member apart from members that users sent. */
const shownSpan = shownColumn('attributes', 'otel_span')

/** Stands for what spans share in columns that hold all of it: as stored, and as shown. */
export const sharedOfSpan = { stored: sharedMembers('otel_dump'), shown: sharedMembers(shownSpan) }

/** The paths of rows that a request reads, as data files name them. */
export function pathsRead(where: Expression, fields: readonly Field[]): string[] {
  const paths = new Set<string>()
  const add = (field: Field) => {
    const path = pathOfRow(field)
    if (path !== undefined) paths.add(path)
    if (isSharedBySpans(field)) for (const shared of Object.values(sharedOfSpan)) paths.add(shared)
  }
  visitFields(where, add)
  fields.forEach(add)
  return [...paths]
}

function isSharedBySpans(field: Field): boolean {
  if (field.kind !== 'json') return false
  const place = ofSpan(field) ?? field
  return isInSpan(place) && spanPlace(place) === 'group'
}
