import { heldAttributes } from '../lib/held-attributes.ts'
import { columnPath, jsonPointer, sharedMembers, shownColumn } from '../lib/json-pointer.ts'
import { spanColumns } from '../lib/stored-span.ts'
import { type Field, type JsonField, ofSpan } from './catalog.ts'
import type { Expression } from './expression.ts'
import { visitFields } from './walk.ts'

/** Where a value inside the span of a call is stored. */
type SpanPlace =
  /** In the stored span, as it stands. */
  | 'dump'
  /** In what the span shares with others. */
  | 'group'
  /** Only in the whole span, which has to be put together. */
  | 'whole'

const heldPaths = heldAttributes.map((name) => name.split('.'))
const shared: ReadonlySet<string> = new Set(['resource', 'scope'])
const heldMembers: ReadonlySet<string> = new Set(['context', 'parent_id', 'start_time', 'end_time'])

/** Where the value of a field is whose column is `otel_dump`. */
export function spanPlace({ path }: Pick<JsonField, 'path'>): SpanPlace {
  const [member, ...names] = path
  if (member === undefined || heldMembers.has(member)) return 'whole'
  if (shared.has(member)) return 'group'
  if (member !== 'attributes') return 'dump'
  const meets = (held: readonly string[]) => held.every((name, at) => at >= names.length || names[at] === name)
  return heldPaths.some(meets) ? 'whole' : 'dump'
}

/** Whether a field is a value inside the span of a call. */
export const isInSpan = ({ column, of }: Pick<JsonField, 'column' | 'of'>): boolean =>
  column === 'otel_dump' && of === undefined

/** The columns that hold the value of a field. */
export function storedColumnsOf(field: Pick<JsonField, 'column' | 'of' | 'path'>): readonly string[] {
  if (!isInSpan(field)) return [field.column]
  const place = spanPlace(field)
  return place === 'whole' ? spanColumns : place === 'group' ? ['otel_dump', 'otel_group'] : ['otel_dump']
}

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
