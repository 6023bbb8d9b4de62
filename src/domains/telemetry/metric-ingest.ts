import type { Store } from '../../engine/store.ts'
import { metricsTable } from '../../engine/tables/metrics-table.ts'
import { eventGroup } from '../../formats/mapping/logs/log-event.ts'
import type { Redact } from '../../formats/mapping/spans/span-dump.ts'
import type { RejectedItems } from '../../formats/wire/otlp/encode-response.ts'
import type { Metric, MetricGroup } from '../../formats/wire/otlp/metric.ts'
import { SpanUnreadable } from '../../formats/wire/otlp/span.ts'
import { DomainError, tooMany } from '../../lib/errors.ts'
import { limits } from '../../lib/limits.ts'
import { type Row, rowBytes } from '../../lib/table.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import type { Caller, ProjectWriter } from '../access/caller.ts'
import { walkPayload } from '../calls/redact.ts'
import { metricRows } from './metrics/metric-rows.ts'
import { Rejections } from './rejections.ts'
import { SpanProjects } from './span-projects.ts'

export interface MetricIngestDependencies {
  readonly store: Store
  readonly clock: Clock
  readonly redact: boolean
}

/** Ingests OpenTelemetry metrics. */
export class MetricIngest {
  private readonly store: Store
  private readonly clock: Clock
  private readonly redact: Redact

  constructor({ store, clock, redact }: MetricIngestDependencies) {
    this.store = store
    this.clock = clock
    this.redact = redact ? (value) => walkPayload(value, { redact, refs: undefined, contents: undefined }) : () => {}
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
  private bytes = 0
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
        for (const row of metricRows(metric, shared, options)) this.push(row)
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
    if (this.points > limits.metricPointsPerExportMax) {
      throw new DomainError(
        'RequestTooLarge',
        tooMany('data points', this.points, limits.metricPointsPerExportMax, ' per request'),
      )
    }
  }

  private push(row: Row): void {
    this.bytes += rowBytes(row)
    if (this.bytes > limits.exportRowBytesMax) {
      throw new DomainError('RequestTooLarge', 'The metrics with their resources are too large; send fewer per request')
    }
    this.rows.push(row)
  }
}
