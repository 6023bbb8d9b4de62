import type { Span } from '../../chart/span.ts'
import { allOf, condition, type FilterNode, partsOf } from '../../filter/expression.ts'
import { formatFilter } from '../../filter/format-filter.ts'
import type { TimeRange } from '../../filter/time-range.ts'
import { opName } from '../../format/ids.ts'
import { viewPath } from '../../state/paths.ts'
import { writeSearch } from '../../state/search-text.ts'
import { tracesUrl } from '../../table/traces-url.ts'
import type { CallsSource } from './board.ts'
import type { Group, GroupSeries } from './card-data.ts'
import { areTraces, filterOf, groupPathOf } from './card-request.ts'

/**
 * The address of the calls that a card counts, in a stretch of time and of one group.
 *
 * @param series all that the card shows: the others are those with none of their values
 */
export function callsHref(
  projectId: string,
  source: CallsSource,
  times: Span | TimeRange,
  group: Group | undefined,
  series: readonly GroupSeries[],
): string {
  const node = allOf([...partsOf(filterOf(source)), ...ofMetric(source), ...ofGroup(source, group, series)])
  const t: TimeRange = 'kind' in times ? times : { kind: 'between', from: times.from, to: times.to }
  const search = writeSearch(tracesUrl, '', { f: formatFilter(node), t })
  return viewPath(projectId, areTraces(source) ? 'traces' : 'calls', search)
}

/** Errors are those of calls themselves, as they are counted. */
const ofMetric = ({ metric }: CallsSource): FilterNode[] =>
  metric === 'errors' ? [condition('summary.ext.status', '=', ['error'])] : []

function ofGroup(source: CallsSource, group: Group | undefined, series: readonly GroupSeries[]): FilterNode[] {
  const path = groupPathOf(source)
  if (path === undefined || group === undefined) return []
  const literal = (value: string | number | boolean) => (path === 'op_name' ? opName(String(value)) : value)
  if (group.kind === 'value') return [condition(path, '=', [literal(group.value)])]
  if (group.kind === 'none') return [condition(path, 'missing', [])]
  const named = series.flatMap((one) => (one.group?.kind === 'value' ? [literal(one.group.value)] : []))
  return [condition(path, 'exists', []), condition(path, 'not in', named)]
}
