import { heldAttributes, spanColumns } from '../lib/stored-span.ts'
import type { JsonField } from './catalog.ts'

/** Where a value inside the span of a call is stored. */
export type SpanPlace =
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
