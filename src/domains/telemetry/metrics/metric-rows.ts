import { metricsTable } from '../../../engine/tables/metrics-table.ts'
import type { EventGroup } from '../../../formats/mapping/logs/log-event.ts'
import { attributeTree } from '../../../formats/mapping/spans/attribute-tree.ts'
import { type Redact, timeText } from '../../../formats/mapping/spans/span-dump.ts'
import {
  type Metric,
  type MetricExemplar,
  type MetricPoint,
  noRecordedValue,
} from '../../../formats/wire/otlp/metric.ts'
import { type NanoTime, SpanUnreadable } from '../../../formats/wire/otlp/span.ts'
import { storedJson } from '../../../lib/stored-json.ts'
import type { Row } from '../../../lib/table.ts'
import { sha256Base64Url } from '../../../runtime/platform/crypto.ts'

export interface MetricRowOptions {
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
export function metricRows(metric: Metric, group: EventGroup, options: MetricRowOptions): Row[] {
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
    // Nanoseconds tell apart points of the same microsecond.
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
  const tree = JSON.parse(text) as Record<string, unknown>
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
