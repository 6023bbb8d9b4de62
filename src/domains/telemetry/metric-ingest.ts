import type { Store } from '../../engine/store.ts'
import { metricsTable } from '../../engine/tables/metrics-table.ts'
import { type EventGroup, eventGroup } from '../../formats/mapping/logs/log-event.ts'
import { attributeTree } from '../../formats/mapping/spans/attribute-tree.ts'
import { type Redact, timeText } from '../../formats/mapping/spans/span-dump.ts'
import type { RejectedItems } from '../../formats/wire/otlp/encode-response.ts'
import {
  type Metric,
  type MetricExemplar,
  type MetricGroup,
  type MetricPoint,
  noRecordedValue,
} from '../../formats/wire/otlp/metric.ts'
import { type NanoTime, SpanUnreadable } from '../../formats/wire/otlp/span.ts'
import { isJsonObject, storedJson } from '../../lib/json-value.ts'
import { telemetryLimits } from '../../lib/limits/telemetry.ts'
import type { Row } from '../../lib/table.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import { sha256Base64Url } from '../../runtime/platform/crypto.ts'
import type { Caller, ProjectWriter } from '../access/index.ts'
import { checkItems, RowsBound, redactor } from '../calls/index.ts'
import { Rejections, SpanProjects } from './span-projects.ts'

interface MetricRowOptions {
  readonly projectId: string
  readonly userId: string
  readonly nowMicros: number
  readonly redact: Redact
}

/**
 * Makes the rows of a metric, one a point. Points have no ids, so theirs are digests: a point that
 * is sent again gets the same row.
 *
 * @throws SpanUnreadable for a metric without a name, or with a time beyond the year 2200
 */
function metricRows(metric: Metric, group: EventGroup, options: MetricRowOptions): Row[] {
  if (metric.name === '') throw new SpanUnreadable('it has no name')
  return metric.points.map((point) => metricRow(metric, point, group, options))
}

function metricRow(
  metric: Metric,
  point: MetricPoint,
  { serviceName, resourceText, scopeText }: EventGroup,
  { projectId, userId, nowMicros, redact }: MetricRowOptions,
): Row {
  const attributes = attributesText(point.attributes, redact)
  const exemplars = point.exemplars.map((exemplar) => exemplarOf(exemplar, redact))
  const { kind, temporality, isMonotonic } = metric
  const [name, unit] = [metric.name.toWellFormed(), metric.unit.toWellFormed()]
  const series = sha256Base64Url(
    [JSON.stringify([name, unit, kind, temporality, isMonotonic]), sorted(attributes), resourceText, scopeText].join(
      '\n',
    ),
  )
  const isMeasured = (point.flags & noRecordedValue) === 0
  const time = microsOf(point.time)
  const cells = {
    started_at: microsOf(point.start),
    value: isMeasured ? point.value : null,
    count: isMeasured ? point.count : null,
    sum: isMeasured ? point.sum : null,
    min: isMeasured ? point.min : null,
    max: isMeasured ? point.max : null,
    distribution: isMeasured && point.distribution !== null ? JSON.stringify(point.distribution) : null,
  }
  return metricsTable.row({
    project_id: projectId,
    // Nanoseconds distinguish points of the same microsecond.
    id: sha256Base64Url(JSON.stringify([projectId, series, point.start, point.time, Object.values(cells)])),
    time: time ?? nowMicros,
    name,
    kind,
    unit,
    description: metric.description.toWellFormed(),
    temporality,
    is_monotonic: isMonotonic === null ? null : Number(isMonotonic),
    series,
    ...cells,
    exemplars: exemplars.length === 0 ? null : storedJson(exemplars),
    service_name: serviceName,
    attributes,
    resource: resourceText,
    scope: scopeText,
    ext_user_id: userId,
    written_at: nowMicros,
  })
}

function attributesText(entries: MetricPoint['attributes'], redact: Redact): string {
  const tree = attributeTree(entries)
  redact(tree)
  return storedJson(tree)
}

/** The text with its outermost members in order: exporters may send attributes in any. */
function sorted(text: string): string {
  const tree: unknown = JSON.parse(text)
  if (!isJsonObject(tree)) throw new TypeError('Attributes are not a JSON object')
  return JSON.stringify(
    Object.keys(tree)
      .sort()
      .map((key) => [key, tree[key]]),
  )
}

function exemplarOf({ time, value, traceId, spanId, attributes }: MetricExemplar, redact: Redact): unknown {
  const tree = attributeTree(attributes)
  redact(tree)
  return { time: timeText(time), value, trace_id: traceId || null, span_id: spanId || null, attributes: tree }
}

/** Well before a count of microseconds exceeds a double's precision. */
const microsMax = Date.UTC(2200, 0) * 1000

function microsOf(time: NanoTime | null): number | null {
  if (time !== null && time.micros > microsMax) throw new SpanUnreadable('it has a time that is out of range')
  return time?.micros ?? null
}

export interface MetricIngestDependencies {
  readonly store: Store
  readonly clock: Clock
  readonly redact: boolean
}

/** Ingests OpenTelemetry metrics. See docs/decisions/096-metrics.md. */
export class MetricIngest {
  private readonly store: Store
  private readonly clock: Clock
  private readonly redact: Redact

  constructor({ store, clock, redact }: MetricIngestDependencies) {
    this.store = store
    this.clock = clock
    this.redact = redactor(redact)
  }

  /**
   * Stores an export in one durable write. A metric that cannot be stored is rejected alone, with
   * its points.
   *
   * @param project of metrics whose resource names none
   * @returns the rejected data points, or undefined if there are none
   * @throws DomainError Forbidden or InvalidRequest if no project in the export is writable;
   *   RequestTooLarge
   */
  async ingest(
    caller: Caller,
    groups: readonly MetricGroup[],
    project: string | undefined,
  ): Promise<RejectedItems | undefined> {
    caller.requireRole('write')
    const intake = new Intake(this.redact, this.clock.nowMs() * 1000)
    new SpanProjects(caller, project).distribute(groups, intake)
    if (intake.rows.length > 0) await this.store.write(metricsTable.name, intake.rows)
    return intake.rejections.answer
  }
}

/** Rows made from one export. */
class Intake {
  readonly rejections = new Rejections()
  readonly rows: Row[] = []
  private readonly redact: Redact
  private readonly nowMicros: number
  private readonly bound = new RowsBound('metrics')
  private points = 0

  constructor(redact: Redact, nowMicros: number) {
    this.redact = redact
    this.nowMicros = nowMicros
  }

  take(group: MetricGroup, { projectId, userId }: ProjectWriter): void {
    const shared = eventGroup(group, this.redact)
    const options = { projectId, userId, nowMicros: this.nowMicros, redact: this.redact }
    for (const decode of group.metrics) {
      let metric: Metric | undefined
      try {
        metric = decode()
        this.count(metric)
        for (const row of metricRows(metric, shared, options)) {
          this.bound.add(row)
          this.rows.push(row)
        }
      } catch (error) {
        if (!(error instanceof SpanUnreadable)) throw error
        this.rejectPoints(metric, error.message)
      }
    }
  }

  /** Rejects all metrics of a group for the same reason. */
  reject({ metrics }: MetricGroup, reason: string): void {
    for (const decode of metrics) {
      let metric: Metric | undefined
      try {
        metric = decode()
      } catch (error) {
        if (!(error instanceof SpanUnreadable)) throw error
      }
      if (metric !== undefined) this.count(metric)
      this.rejectPoints(metric, reason)
    }
  }

  /** How many points an unreadable metric has is unknown; it counts as one. */
  private rejectPoints(metric: Metric | undefined, reason: string): void {
    const name = metric === undefined ? 'Metric' : `Metric "${metric.name.slice(0, 128).toWellFormed()}"`
    for (let left = Math.max(1, metric?.points.length ?? 1); left > 0; left--) this.rejections.add(reason, name)
  }

  private count({ points }: Metric): void {
    this.points += points.length
    checkItems('data points', this.points, telemetryLimits.metricPointsPerExportMax)
  }
}
