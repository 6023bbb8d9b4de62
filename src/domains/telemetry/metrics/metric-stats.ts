import type { Store } from '../../../engine/store.ts'
import { metricsTable } from '../../../engine/tables/metrics-table.ts'
import { DomainError, quoted } from '../../../lib/errors.ts'
import { telemetryLimits } from '../../../lib/limits/telemetry.ts'
import { itemAt } from '../../../lib/present.ts'
import type { Cell } from '../../../lib/table.ts'
import { formatTime } from '../../../lib/time.ts'
import { numberIn, rowShape } from '../../../lib/typed-rows.ts'
import type { OutputNames } from '../../../query/call-output.ts'
import { type CountableField, columnField, resolveField } from '../../../query/catalog.ts'
import { all, type Expression, fieldOneOf } from '../../../query/expression.ts'
import type { SortRules } from '../../../query/sort.ts'
import { planTable } from '../../../query/table-plan.ts'
import type { Clock } from '../../../runtime/platform/clock.ts'
import type { ProjectReader } from '../../access/index.ts'
import { finiteOrNull, parseTimeRange } from '../../records/index.ts'
import type { MetricStats, MetricStatsRequest, MetricValues } from '../model/metrics.ts'
import { compileMetricStatistics } from '../sql/metric-statistics.ts'
import { TimedRows, timedRules } from '../timed-rows.ts'

/** Implements `metrics/query`. */
export class MetricReader extends TimedRows {
  constructor(options: { readonly store: Store; readonly dialect: OutputNames }) {
    super(options, metricsTable)
  }
}

/** Implements `metrics/stats`. */
export class MetricStatistics {
  private readonly store: Store
  private readonly clock: Clock
  private readonly rules: SortRules

  constructor({ store, clock, dialect }: { store: Store; clock: Clock; dialect: OutputNames }) {
    this.store = store
    this.clock = clock
    this.rules = timedRules(metricsTable, dialect)
  }

  /**
   * @throws DomainError InvalidRequest for an invalid range or a response that would be too large;
   *   InvalidField
   */
  async stats(
    reader: ProjectReader,
    { metrics, query, group_by, ...times }: Omit<MetricStatsRequest, 'project_id'>,
    signal: AbortSignal,
  ): Promise<MetricStats> {
    const range = parseTimeRange(times, this.clock.nowMs())
    const paths = group_by ?? []
    const groups = paths.map((path) => this.groupField(path))
    const names = metrics ?? []
    const where: Expression[] = [
      { kind: 'within', field: columnField('time', 'time'), after: undefined, through: range.end - 1 },
      ...(names.length === 0 ? [] : [fieldOneOf(columnField('name'), names)]),
    ]
    const { projectId } = reader
    const anyOf = names.length === 0 ? {} : { name: names }
    const plan = planTable(projectId, [], { query, where: all(where), anyOf }, this.rules)
    const buckets = { ...range, offsetSeconds: range.timezone === 'UTC' ? 0 : undefined }
    const rows = await this.store.read([metricsTable.name], { projectId, signal }, async (snapshot) => {
      const relation = snapshot.relation(metricsTable.name, plan.anyOf)
      return await snapshot.rows(compileMetricStatistics(plan, range, buckets, relation, groups))
    })
    if (rows.length > telemetryLimits.metricStatsRowsMax) {
      throw new DomainError(
        'InvalidRequest',
        `The response would have more than ${telemetryLimits.metricStatsRowsMax} rows; use a coarser granularity, a ` +
          'shorter range, fewer metrics or fewer groups',
      )
    }
    const statistics = rows.map((cells) => ({
      bucket: numberIn(cells[0]),
      statistics: statisticsOf(cells, paths),
    }))
    return {
      start: formatTime(range.start),
      end: formatTime(range.end),
      granularity: range.granularitySeconds,
      timezone: range.timezone,
      totals: statistics.flatMap((row) => (row.bucket === null ? [row.statistics] : [])),
      buckets: statistics.flatMap(({ bucket, statistics: ofBucket }) =>
        bucket === null ? [] : [{ timestamp: formatTime(bucket), ...ofBucket }],
      ),
    }
  }

  private groupField(path: string): CountableField {
    const field = resolveField(this.rules.catalog, path)
    if (field.kind === 'json' || (field.kind === 'column' && field.type !== 'texts')) return field
    throw new DomainError('InvalidRequest', `Cannot group by ${quoted(path)}`)
  }
}

/** The cells of a row but for the time of its bucket and the values that it is grouped by. */
const statisticsShape = rowShape({
  metric: 'text',
  unit: 'text',
  kind: 'text',
  points: 'number',
  sum: 'number?',
  count: 'number?',
  avg: 'number?',
  min: 'number?',
  max: 'number?',
  last: 'number?',
})

function statisticsOf(
  [, metric = null, unit = null, kind = null, ...cells]: readonly Cell[],
  paths: readonly string[],
): MetricValues {
  const statistics = statisticsShape.read([metric, unit, kind, ...cells.slice(paths.length)])
  const { sum, count, avg, min, max, last, ...exact } = statistics
  return {
    ...exact,
    group: Object.fromEntries(paths.map((path, index) => [path, groupValue(itemAt(cells, index))])),
    sum: finiteOrNull(sum),
    count: finiteOrNull(count),
    avg: finiteOrNull(avg),
    min: finiteOrNull(min),
    max: finiteOrNull(max),
    last: finiteOrNull(last),
  }
}

/** The value of a JSON text; the text itself if it was cut. */
function groupValue(text: Cell): unknown {
  if (typeof text !== 'string') return null
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
