import type { TimeRange } from '../../../lib/relation.ts'
import type { CountableField, Field } from '../../../query/catalog.ts'
import { always, type Expression } from '../../../query/expression.ts'
import { mapConditions, visitFields } from '../../../query/walk.ts'

const hourMicros = 3_600_000_000

/** Columns of calls by which rollups add up. */
const groupColumns: readonly string[] = ['op_name', 'status', 'usage_model']

const isGroup = (field: Field): boolean => field.kind === 'column' && groupColumns.includes(field.column)

/**
 * Whether rollups can tell which calls meet a condition and what their groups are: they know a
 * call's op, status and model, and whether it is the root of a trace.
 */
export function suitsRollups(where: Expression, groupField: CountableField | undefined): boolean {
  if (groupField !== undefined && !isGroup(groupField)) return false
  const others = mapConditions(where, (part) => (asksForRoot(part) ? always : part))
  let suits = true
  visitFields(others, (field) => {
    suits &&= isGroup(field)
  })
  return suits && !readsMore(others)
}

const asksForRoot = (part: Expression): boolean =>
  part.kind === 'isNull' &&
  part.value.kind === 'field' &&
  part.value.field.kind === 'column' &&
  part.value.field.column === 'parent_id'

/** Conditions on feedback and queues name a call by its id. */
function readsMore(where: Expression): boolean {
  let reads = false
  mapConditions(where, (part) => {
    reads ||= part.kind === 'anyFeedback' || part.kind === 'anyQueueItem'
    return part
  })
  return reads
}

/** The whole hours within a time range; undefined if there are none. */
export function wholeHours({ from, until }: TimeRange): TimeRange | undefined {
  const hours = { from: Math.ceil(from / hourMicros) * hourMicros, until: Math.floor(until / hourMicros) * hourMicros }
  return hours.from < hours.until ? hours : undefined
}

/** Whether buckets of that size begin at whole hours, with these offsets from UTC in seconds. */
export const areOfWholeHours = (granularitySeconds: number, offsets: readonly number[]): boolean =>
  [granularitySeconds, ...offsets].every((seconds) => seconds % 3600 === 0)
