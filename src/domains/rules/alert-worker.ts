import { derivedId } from '../../lib/ids.ts'
import { ruleLimits } from '../../lib/limits/rules.ts'
import type { ProjectReader } from '../access/index.ts'
import { alertBody } from './alert-body.ts'
import type { Arrivals, Listener, Ticks } from './arrivals.ts'
import { writerOf } from './calls-worker.ts'
import type { Condition, Measurement, Measurements } from './measure.ts'
import type { RuleEvent } from './rule-progress.ts'
import { RuleWorker, type WorkerParts } from './rule-worker.ts'

/**
 * Evaluates the condition of a rule and has each change of its alert delivered once. A change is
 * stored before its delivery, and the delivery has an id derived from it, so a crash between the
 * two neither loses nor repeats it. See docs/decisions/106-alerts-and-webhooks.md.
 */
export class AlertWorker extends RuleWorker {
  private readonly arrivals: Arrivals
  private readonly ticks: Ticks
  private readonly listener: Listener
  private readonly measurements: Measurements
  private readonly deliver: (event: RuleEvent) => Promise<void>
  private readonly condition: Condition
  private readonly reader: ProjectReader
  private readonly everyMs: number
  /** When a call was last stored, in microseconds; at first that is not known. */
  private lastArrival: number

  constructor(
    parts: WorkerParts & {
      condition: Condition
      arrivals: Arrivals
      ticks: Ticks
      measurements: Measurements
      /** Has no effect for an event that it has seen. */
      deliver: (event: RuleEvent) => Promise<void>
    },
  ) {
    super(parts)
    this.condition = parts.condition
    this.arrivals = parts.arrivals
    this.ticks = parts.ticks
    this.measurements = parts.measurements
    this.deliver = parts.deliver
    this.reader = writerOf(parts.rule)
    this.listener = this.arrivals.listen(this.rule.projectId)
    this.lastArrival = parts.clock.nowMs() * 1000
    const windowMs = parts.condition.window_seconds * 1000
    const shareMs = windowMs / ruleLimits.ruleEvaluationsPerWindow
    this.everyMs = Math.min(Math.max(shareMs, ruleLimits.ruleEvaluationMsMin), ruleLimits.ruleEvaluationMsMax)
  }

  override async stop(): Promise<void> {
    this.arrivals.leave(this.rule.projectId, this.listener)
    await super.stop()
  }

  protected async wait(): Promise<void> {
    // The tick nearest to the end of the interval.
    await this.ticks.after(this.everyMs - ruleLimits.ruleTickMs / 2, this.stopping.signal)
  }

  protected async work(): Promise<void> {
    const { event } = this.progress
    if (event !== null) await this.announce(event)
    const nowMicros = this.clock.nowMs() * 1000
    if (this.listener.take().from !== Number.POSITIVE_INFINITY) this.lastArrival = nowMicros
    if (this.isQuiet(nowMicros)) return
    const { signal } = this.stopping
    const measured = await this.measurements.measure(this.reader, this.rule, this.condition, nowMicros, signal)
    const isOver = meets(this.condition, measured)
    this.show({ value: measured.value, evaluatedAt: nowMicros })
    if (isOver === (this.progress.alert === 'firing')) return
    await this.change(isOver ? 'firing' : 'ok', measured, nowMicros)
  }

  /** No call can be in the window, so nothing can be above the threshold. Scores need no calls. */
  private isQuiet(nowMicros: number): boolean {
    const { comparison, metric, window_seconds } = this.condition
    const isEmpty = this.lastArrival < nowMicros - window_seconds * 1e6
    return isEmpty && comparison === 'above' && metric !== 'score_avg' && this.progress.alert === 'ok'
  }

  private async change(alert: 'ok' | 'firing', measured: Measurement, nowMicros: number): Promise<void> {
    const changes = this.progress.changes + 1
    const type = alert === 'firing' ? 'rule.firing' : 'rule.resolved'
    const event: RuleEvent = {
      deliveryId: derivedId(this.rule.id, 'delivery', changes),
      type,
      body: alertBody(type, this.rule, this.condition, measured, nowMicros),
      at: nowMicros,
    }
    this.note({ alert, alertSince: nowMicros, changes, event })
    await this.save()
    await this.announce(event)
  }

  private async announce(event: RuleEvent): Promise<void> {
    await this.deliver(event)
    this.note({ event: null })
  }
}

function meets({ comparison, threshold, calls_min }: Condition, { value, count }: Measurement): boolean {
  if (value === null || count < calls_min) return false
  return comparison === 'above' ? value > threshold : value < threshold
}
