import type { Store } from '../../engine/store.ts'
import { callsTable } from '../../engine/tables/calls-table.ts'
import { feedbackTable } from '../../engine/tables/feedback-table.ts'
import { jsonPointer } from '../../lib/json-pointer.ts'
import { explorationLimits } from '../../lib/limits/exploration.ts'
import { formatTime } from '../../lib/time.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import type { ProjectReader } from '../access/index.ts'
import { parseTimeRange } from '../records/index.ts'
import type { Distribution, DistributionsRequest, FeedbackDistributions, FeedbackGroup } from './model/distributions.ts'
import { payloadPaths } from './payload-paths.ts'
import {
  type CallFeedback,
  compileFeedbackGroups,
  compileRanges,
  compileTopValues,
  compileTrends,
  compileValueSums,
  type Measured,
  type Ranges,
} from './sql/distributions.ts'

const { feedbackGroupsMax, groupPayloads, groupPathsMax, feedbackValuesMax, feedbackValueChars } = explorationLimits

/** A member of the payloads of a group. */
interface Member extends Measured {
  readonly path: string
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
    const scope: CallFeedback = { projectId, start, end, calls, feedback }
    const sizes = { groups: feedbackGroupsMax + 1, payloads: groupPayloads }
    const found = await snapshot.rows(compileFeedbackGroups(scope, sizes))
    const shown = found.slice(0, feedbackGroupsMax)
    let isCut = found.length > feedbackGroupsMax
    const members: Member[] = []
    for (const { feedback_type: type, version, payloads } of shown) {
      const paths = await payloadPaths(JSON.parse(payloads))
      isCut ||= paths.length > groupPathsMax
      for (const { json_path: path } of paths.slice(0, groupPathsMax)) {
        members.push({ type, version, path, pointer: jsonPointer(path.split('.')) })
      }
    }
    const distributions = members.length === 0 ? [] : await distributionsOf(members)
    const groups = shown.map(({ payloads: _, ...group }): FeedbackGroup => {
      const own = members.flatMap((member, place) =>
        member.type === group.feedback_type && member.version === group.version ? (distributions[place] ?? []) : [],
      )
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

    async function distributionsOf(measured: readonly Member[]): Promise<(Distribution | undefined)[]> {
      const sums = new Map((await snapshot.rows(compileValueSums(scope, measured))).map((row) => [row.place, row]))
      const sizes = { valuesMax: feedbackValuesMax, charsMax: feedbackValueChars }
      const values = Map.groupBy(await snapshot.rows(compileTopValues(scope, measured, sizes)), ({ place }) => place)
      const ranges = [...sums.values()].flatMap(({ place, different_numbers, truths, texts, low, high }): Ranges[] =>
        truths + texts > 0 || different_numbers <= feedbackValuesMax || low === null || high === null || low === high
          ? []
          : [{ place, bounds: roundBounds(low, high, feedbackValuesMax - 2) }],
      )
      const counts =
        ranges.length === 0
          ? new Map<number, { rung: number; calls: number }[]>()
          : Map.groupBy(await snapshot.rows(compileRanges(scope, measured, ranges)), ({ place }) => place)
      const bounds = new Map(ranges.map((each) => [each.place, each.bounds]))
      const trends = Map.groupBy(await snapshot.rows(compileTrends(scope, measured, range)), ({ place }) => place)
      return measured.map(({ path }, place): Distribution | undefined => {
        const sum = sums.get(place)
        if (sum === undefined) return undefined
        const type = sum.texts > 0 ? 'categorical' : sum.numbers > 0 ? 'numeric' : 'boolean'
        const own = bounds.get(place)
        // Texts of which most are different are remarks, not categories.
        const isRemark = sum.different_texts > feedbackValuesMax && sum.different_texts * 2 > sum.texts
        const found = own || isRemark ? [] : (values.get(place) ?? [])
        const listed = found.map(({ value, calls }) => ({ value: JSON.parse(value), calls }))
        const kinds = [sum.different_numbers, sum.different_texts, sum.truths > 0 ? 2 : 0]
        return {
          json_path: path,
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
      })
    }
  })
}
