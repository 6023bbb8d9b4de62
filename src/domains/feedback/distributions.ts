import type { Store } from '../../engine/store.ts'
import { callsTable } from '../../engine/tables/calls-table.ts'
import { feedbackTable } from '../../engine/tables/feedback-table.ts'
import { jsonPointer } from '../../lib/json-pointer.ts'
import { explorationLimits } from '../../lib/limits/exploration.ts'
import { itemAt, valueAt } from '../../lib/present.ts'
import { formatTime } from '../../lib/time.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import type { ProjectReader } from '../access/index.ts'
import { parseTimeRange } from '../records/index.ts'
import type { Distribution, DistributionsRequest, FeedbackDistributions, FeedbackGroup } from './model/distributions.ts'
import { payloadPaths } from './payload-paths.ts'
import {
  compileCallFeedback,
  compileFeedbackGroups,
  compileRanges,
  compileTopValues,
  compileTrends,
  compileValueSums,
  compileValues,
  entriesTable,
  type MeasuredGroup,
  type Ranges,
  valuesTable,
} from './sql/distributions.ts'

const { feedbackGroupsMax, groupPayloads, groupPathsMax, feedbackValuesMax, feedbackValueChars } = explorationLimits

/** A group whose payloads have members to measure. */
interface Group extends MeasuredGroup {
  /** Dotted paths of the members. */
  readonly paths: readonly string[]
}

/** Round bounds around numbers, about `count` ranges. */
function roundBounds(low: number, high: number, count: number): number[] {
  const rough = (high - low) / count
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power
  const first = Math.floor(low / step)
  const last = Math.max(first + 1, Math.ceil(high / step))
  return Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)))
}

/**
 * How the values of feedback are distributed: by type of feedback, version of the scorer and member
 * of the payload, over the calls that started within a time range.
 *
 * @throws DomainError InvalidRequest for an invalid range; RequestCancelled
 */
export async function readDistributions(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  reader: ProjectReader,
  request: DistributionsRequest,
  signal: AbortSignal,
): Promise<FeedbackDistributions> {
  const { projectId } = reader
  const range = parseTimeRange(request, clock.nowMs())
  const { start, end, timezone, granularitySeconds } = range
  const tables = [callsTable.name, feedbackTable.name]
  return await store.read(tables, { projectId, signal }, async (snapshot) => {
    const [calls, feedback] = [snapshot.relation(callsTable.name), snapshot.relation(feedbackTable.name)]
    await snapshot.createTempTable(entriesTable, compileCallFeedback({ projectId, start, end, calls, feedback }, range))
    const sizes = { groups: feedbackGroupsMax + 1, payloads: groupPayloads }
    const found = await snapshot.rows(compileFeedbackGroups(sizes))
    const shown = found.slice(0, feedbackGroupsMax)
    let isCut = found.length > feedbackGroupsMax
    const measured: Group[] = []
    let places = 0
    for (const { feedback_type: type, version, payloads } of shown) {
      const all = await payloadPaths(JSON.parse(payloads))
      isCut ||= all.length > groupPathsMax
      const paths = all.slice(0, groupPathsMax).map(({ json_path }) => json_path)
      const pointers = paths.map((path) => jsonPointer(path.split('.')))
      measured.push({ type, version, firstPlace: places, paths, pointers })
      places += paths.length
    }
    const distributions = await distributionsOf(measured.filter(({ paths }) => paths.length > 0))
    const groups = shown.map(({ payloads: _, ...group }, at): FeedbackGroup => {
      const { firstPlace, paths } = itemAt(measured, at)
      const own = paths.flatMap((_, index) => distributions.get(firstPlace + index) ?? [])
      return { ...group, distributions: own }
    })
    return {
      start: formatTime(start),
      end: formatTime(end),
      granularity: granularitySeconds,
      timezone,
      groups,
      is_cut: isCut,
    }

    /** By the place of the member. */
    async function distributionsOf(groups: readonly Group[]): Promise<Map<number, Distribution>> {
      if (groups.length === 0) return new Map()
      await snapshot.createTempTable(valuesTable, compileValues(groups))
      const sums = await snapshot.rows(compileValueSums())
      const sizes = { valuesMax: feedbackValuesMax, charsMax: feedbackValueChars }
      const values = Map.groupBy(await snapshot.rows(compileTopValues(sizes)), ({ place }) => place)
      const ranges = sums.flatMap(({ place, different_numbers, truths, texts, low, high }): Ranges[] =>
        truths + texts > 0 || different_numbers <= feedbackValuesMax || low === null || high === null || low === high
          ? []
          : [{ place, bounds: roundBounds(low, high, feedbackValuesMax - 2) }],
      )
      const counts =
        ranges.length === 0
          ? new Map<number, { rung: number; calls: number }[]>()
          : Map.groupBy(await snapshot.rows(compileRanges(ranges)), ({ place }) => place)
      const bounds = new Map(ranges.map((each) => [each.place, each.bounds]))
      const trends = Map.groupBy(await snapshot.rows(compileTrends()), ({ place }) => place)
      const paths = new Map(groups.flatMap(({ firstPlace, paths }) => paths.map((path, at) => [firstPlace + at, path])))
      const distributionOf = ({ place, ...sum }: (typeof sums)[number]): Distribution => {
        const type = sum.texts > 0 ? 'categorical' : sum.numbers > 0 ? 'numeric' : 'boolean'
        const own = bounds.get(place)
        // Texts of which most are different are remarks, not categories.
        const isRemark = sum.different_texts > feedbackValuesMax && sum.different_texts * 2 > sum.texts
        const found = own || isRemark ? [] : (values.get(place) ?? [])
        const listed = found.map(({ value, calls }) => ({ value: JSON.parse(value), calls }))
        const kinds = [sum.different_numbers, sum.different_texts, sum.truths > 0 ? 2 : 0]
        return {
          json_path: valueAt(paths, place),
          value_type: type,
          calls: sum.calls,
          mean: type === 'categorical' ? null : type === 'numeric' ? sum.mean : sum.share,
          values: type === 'numeric' ? listed.sort((a, b) => Number(a.value) - Number(b.value)) : listed,
          ranges: (own ?? []).slice(0, -1).map((from, at) => ({
            from,
            to: own?.[at + 1] ?? from,
            calls: counts.get(place)?.find((row) => row.rung === at)?.calls ?? 0,
          })),
          other_values: own
            ? 0
            : Math.max(0, kinds.reduce((all, each) => all + each, 0) - Math.max(listed.length, sum.truths > 0 ? 2 : 0)),
          trend: (trends.get(place) ?? []).map(({ bucket, calls, mean }) => ({
            timestamp: formatTime(bucket),
            calls,
            mean: type === 'categorical' ? null : mean,
          })),
        }
      }
      return new Map(sums.map((sum) => [sum.place, distributionOf(sum)]))
    }
  })
}
