import { operationLimits } from '../../lib/limits/operations.ts'
import type { Log } from '../../runtime/log.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import type { AnnotationQueues } from '../queues/index.ts'
import { AlertWorker } from './alert-worker.ts'
import type { Arrivals, Ticks } from './arrivals.ts'
import type { ArrivedCalls } from './arrived-calls.ts'
import { type CallsAction, CallsWorker, writerOf } from './calls-worker.ts'
import type { StoredDelivery } from './deliveries.ts'
import { type DeliveryParts, DeliveryQueue } from './delivery-queue.ts'
import { type ForwardParts, forwardAction } from './forward-action.ts'
import type { Measurements } from './measure.ts'
import { freshProgress, type RuleEvent, type RuleProgress, type RuleProgressRecords } from './rule-progress.ts'
import type { RuleScoring } from './rule-scoring.ts'
import type { StoredRule } from './stored-rule.ts'

/** Adds calls to an annotation queue, which takes each call once. */
const queueAction = (
  queues: AnnotationQueues,
  rule: StoredRule,
  { queue_id, display_fields }: { readonly queue_id: string; readonly display_fields: readonly string[] },
): CallsAction => ({
  callsMax: operationLimits.queueCallsPerRequestMax,
  handle: async (calls) => {
    const call_ids = calls.map(({ id }) => id)
    await queues.items.add(writerOf(rule), queue_id, { call_ids, display_fields: [...display_fields] })
    return undefined
  },
})

export interface RunnerParts extends DeliveryParts, ForwardParts {
  readonly arrivals: Arrivals
  readonly ticks: Ticks
  readonly calls: ArrivedCalls
  readonly measurements: Measurements
  readonly progress: RuleProgressRecords
  readonly scoring: RuleScoring
  readonly queues: AnnotationQueues
  readonly clock: Clock
  readonly log: Log
}

interface Running {
  readonly worker: AlertWorker | CallsWorker | undefined
  readonly deliveries: DeliveryQueue | undefined
}

/** The workers of all rules that are not paused. */
export class RuleRunner {
  private readonly parts: RunnerParts
  private readonly running = new Map<string, Running>()
  /** Progress of rules without a worker. */
  private readonly resting = new Map<string, RuleProgress>()

  constructor(parts: RunnerParts) {
    this.parts = parts
  }

  /** Starts the workers of stored rules. */
  async resume(rules: readonly StoredRule[]): Promise<void> {
    if (rules.length === 0) return
    const progress = await this.parts.progress.all()
    const pending = Map.groupBy(await this.parts.deliveries.pending(), ({ ruleId }) => ruleId)
    for (const rule of rules) this.begin(rule, progress.get(rule.id), pending.get(rule.id) ?? [])
  }

  /** Starts to work on a new rule. */
  start(rule: StoredRule): void {
    this.begin(rule, undefined, [])
  }

  /** Continues with a changed rule. */
  async restart(rule: StoredRule, { isFromNow }: { readonly isFromNow: boolean }): Promise<void> {
    const { arrivals, clock, deliveries } = this.parts
    // Writes that begin between the two workers reach the second only if there is a listener.
    const listener = arrivals.listen(rule.projectId)
    try {
      const before = await this.end(rule.id)
      const position = clock.nowMs() * 1000
      const progress = before && isFromNow ? { ...before, position, isExact: true } : before
      const pending = (await deliveries.pending()).filter(({ ruleId }) => ruleId === rule.id)
      this.begin(rule, progress, pending)
    } finally {
      arrivals.leave(rule.projectId, listener)
    }
  }

  /** Forgets a rule. */
  async remove(ruleId: string): Promise<void> {
    await this.end(ruleId)
    this.resting.delete(ruleId)
    await this.parts.progress.remove(ruleId)
    await this.parts.deliveries.prune(ruleId, 0)
  }

  /** How far a rule has come. */
  progressOf(rule: StoredRule): RuleProgress {
    return this.running.get(rule.id)?.worker?.progress ?? this.resting.get(rule.id) ?? freshProgress(rule)
  }

  /** Has an event of a rule delivered, even if the rule is paused. */
  async deliver(ruleId: string, event: RuleEvent): Promise<void> {
    await this.running.get(ruleId)?.deliveries?.add(event)
  }

  /** Stops all workers, when no more calls can be written. */
  async stop(): Promise<void> {
    const all = [...this.running.values()]
    this.running.clear()
    await Promise.all(
      all.map(async ({ worker, deliveries }) => {
        await (worker instanceof CallsWorker ? worker.stopForGood() : worker?.stop())
        await deliveries?.stop()
      }),
    )
  }

  private begin(rule: StoredRule, progress: RuleProgress | undefined, pending: readonly StoredDelivery[]): void {
    const { action } = rule
    const deliveries = action.kind === 'webhook' ? new DeliveryQueue(this.parts, rule, action.url, pending) : undefined
    const worker = rule.is_paused ? undefined : this.workerOf(rule, progress, deliveries)
    if (worker === undefined) this.resting.set(rule.id, progress ?? freshProgress(rule))
    this.running.set(rule.id, { worker, deliveries })
    deliveries?.start()
    worker?.start()
  }

  private workerOf(
    rule: StoredRule,
    progress: RuleProgress | undefined,
    deliveries: DeliveryQueue | undefined,
  ): AlertWorker | CallsWorker {
    const { arrivals, ticks, calls, measurements, clock, log } = this.parts
    const parts = { rule, progress, records: this.parts.progress, arrivals, ticks, clock, log }
    const { condition } = rule
    if (condition !== null && deliveries !== undefined) {
      return new AlertWorker({ ...parts, condition, measurements, deliver: (event) => deliveries.add(event) })
    }
    return new CallsWorker({ ...parts, calls, action: this.actionOf(rule) })
  }

  private actionOf(rule: StoredRule): CallsAction {
    const { action } = rule
    switch (action.kind) {
      case 'score':
        return this.parts.scoring.action(rule, action.scorer_refs)
      case 'add_to_queue':
        return queueAction(this.parts.queues, rule, action)
      case 'forward':
        return forwardAction(this.parts, rule, action.url)
      case 'webhook':
        throw new Error(`Cannot start the rule ${rule.id}: it has a webhook but no condition`)
    }
  }

  /** Stops the worker of a rule; returns how far it has come. */
  private async end(ruleId: string): Promise<RuleProgress | undefined> {
    const running = this.running.get(ruleId)
    this.running.delete(ruleId)
    await running?.worker?.stop()
    await running?.deliveries?.stop()
    return running?.worker?.progress ?? this.resting.get(ruleId)
  }
}
