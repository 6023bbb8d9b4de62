import { BoundedMap } from '../../lib/bounded-map.ts'
import { ruleLimits } from '../../lib/limits/rules.ts'
import { conditionIn } from '../../query/grammar.ts'
import { Caller, type ProjectWriter } from '../access/index.ts'
import type { ScoreBudget } from '../evaluations/index.ts'
import type { Arrivals, Listener, Ticks } from './arrivals.ts'
import { type ArrivedCall, type ArrivedCalls, type CallsOfRule, callsOfRule } from './arrived-calls.ts'
import { RuleWorker, type WorkerParts } from './rule-worker.ts'
import { costOn, withCost } from './spending.ts'
import type { StoredRule } from './stored-rule.ts'

/** The action of a rule on the calls that match. Repeating it has no further effect. */
export interface CallsAction {
  /** Calls handled at a time. */
  readonly callsMax: number
  /** Conditions in addition to those of the rule. */
  readonly also?: unknown
  /**
   * @param budget what it may spend
   * @returns the numbers of calls that cannot be handled, or were passed over because nothing was
   *   left to spend; neither are tried again
   * @throws DomainError, ActionFailed, if it has to be repeated
   */
  handle(
    calls: readonly ArrivedCall[],
    signal: AbortSignal,
    budget: ScoreBudget,
  ): Promise<{ readonly rejected?: number; readonly passed?: number } | undefined>
}

/** Access to the project of a rule on behalf of the user who created it. */
export const writerOf = ({ createdBy, createdByName, projectId }: StoredRule): ProjectWriter =>
  new Caller({ userId: createdBy, userName: createdByName, role: 'write', scope: projectId }).write(projectId)

/**
 * Handles the calls that match a rule, in order of writing. Its position is stored now and then;
 * after a crash it continues from there, so each call is handled at least once. See
 * docs/decisions/105-rules-read-what-was-written.md.
 */
export class CallsWorker extends RuleWorker {
  private readonly arrivals: Arrivals
  private readonly ticks: Ticks
  private readonly listener: Listener
  private readonly calls: ArrivedCalls
  private callsOfRule: CallsOfRule | undefined
  private readonly action: CallsAction
  private readonly writer: ProjectWriter
  private readonly budget: ScoreBudget
  /** Time of writing of handled calls, by id: a call that is written late makes it read again. */
  private readonly handled = new BoundedMap<string, number>(ruleLimits.ruleHandledKept)
  private savedPosition: number
  /** How long the work took the last time. */
  private workedMs = 0
  /** Calls written after this time have to be read; undefined if there are none. */
  private unread: number | undefined

  constructor(parts: WorkerParts & { arrivals: Arrivals; ticks: Ticks; calls: ArrivedCalls; action: CallsAction }) {
    super(parts)
    this.arrivals = parts.arrivals
    this.ticks = parts.ticks
    this.calls = parts.calls
    this.action = parts.action
    this.writer = writerOf(parts.rule)
    this.budget = this.budgetOf(parts.rule.daily_cost_max)
    this.listener = this.arrivals.listen(this.rule.projectId)
    const { position, isExact } = this.progress
    this.unread = isExact ? position : position - ruleLimits.ruleOverlapMs * 1000
    this.savedPosition = position
    this.note({ isExact: false })
  }

  override async stop(): Promise<void> {
    this.arrivals.leave(this.rule.projectId, this.listener)
    await super.stop()
  }

  /** To be called when no more calls can be written. */
  async stopForGood(): Promise<void> {
    await this.interrupt()
    // Calls that have arrived in the meantime come after the position.
    const { from } = this.listener.take()
    const position = Math.min(this.progress.position, this.unread ?? Number.POSITIVE_INFINITY, from - 1)
    this.note({ isExact: true, position })
    await this.stop()
  }

  protected async wait(): Promise<void> {
    if (this.unread !== undefined) return
    await this.listener.wait(this.stopping.signal, ruleLimits.ruleEvaluationMsMax)
    const ms = Math.max(ruleLimits.ruleGatherMs, this.workedMs / ruleLimits.ruleTimeShare)
    await this.ticks.pause(Math.min(ms, ruleLimits.ruleGatherMsMax), this.stopping.signal)
  }

  protected async work(): Promise<void> {
    const startMs = performance.now()
    await this.handleArrived()
    this.workedMs = performance.now() - startMs
  }

  private async handleArrived(): Promise<void> {
    const { from, through } = this.listener.take()
    const after = Math.min(this.unread ?? Number.POSITIVE_INFINITY, from - 1)
    if (after === Number.POSITIVE_INFINITY) return
    this.unread = after
    const found = await this.find(after)
    await this.handle(found.calls)
    this.unread = found.through
    const position = Math.max(this.progress.position, found.through ?? through)
    // Calls that do not match cost little to read again.
    const isWorthSaving = found.calls.length > 0 || position > this.savedPosition + ruleLimits.ruleOverlapMs * 1000
    if (!isWorthSaving) return this.show({ position })
    this.note({ position })
    this.savedPosition = position
  }

  private async find(after: number) {
    this.callsOfRule ??= callsOfRule(this.writer, { ...this.rule, query: this.query() })
    return await this.calls.after(this.writer, this.callsOfRule, after, this.stopping.signal)
  }

  /** What is spent is stored before the score: a crash does not forget it. */
  private budgetOf(max: number | null): ScoreBudget {
    const nowMicros = () => this.clock.nowMs() * 1000
    return {
      isLimited: max !== null,
      isSpent: () => max !== null && costOn(this.progress.spending, nowMicros()) >= max,
      add: async (cost) => {
        if (cost === 0) return
        this.note({ spending: withCost(this.progress.spending, cost, nowMicros()) })
        if (max !== null) await this.save()
      },
    }
  }

  private query(): unknown {
    return withBoth(this.rule.query, this.action.also)
  }

  private async handle(calls: readonly ArrivedCall[]): Promise<void> {
    const fresh = calls.filter(({ id, writtenAt }) => this.handled.get(id) !== writtenAt)
    for (let start = 0; start < fresh.length; start += this.action.callsMax) {
      this.stopping.signal.throwIfAborted()
      const batch = fresh.slice(start, start + this.action.callsMax)
      const outcome = await this.action.handle(batch, this.stopping.signal, this.budget)
      const { rejected = 0, passed = 0 } = outcome ?? {}
      for (const { id, writtenAt } of batch) this.handled.set(id, writtenAt)
      this.note({
        handled: this.progress.handled + batch.length - rejected - passed,
        rejected: this.progress.rejected + rejected,
        passed: this.progress.passed + passed,
        handledAt: this.clock.nowMs() * 1000,
      })
    }
  }
}

/** The query of a rule and a condition of its action, if it has one. */
export function withBoth(query: unknown, also: unknown): unknown {
  if (also === undefined) return query
  const own = conditionIn(query)
  return { $expr: own === undefined ? also : { $and: [own, also] } }
}
