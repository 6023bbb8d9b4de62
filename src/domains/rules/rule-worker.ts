import { DomainError } from '../../lib/errors.ts'
import { ruleLimits } from '../../lib/limits/rules.ts'
import type { Log } from '../../runtime/log.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import { delay } from '../../runtime/platform/event-loop.ts'
import { freshProgress, type RuleProgress, type RuleProgressRecords } from './rule-progress.ts'
import { ActionFailed } from './rule-secrets.ts'
import type { StoredRule } from './stored-rule.ts'

export interface WorkerParts {
  readonly rule: StoredRule
  readonly progress: RuleProgress | undefined
  readonly records: RuleProgressRecords
  readonly clock: Clock
  readonly log: Log
}

/**
 * Works on one rule until it is stopped. A failure is reported in the progress, and the work is
 * repeated after a delay that doubles each time.
 */
export abstract class RuleWorker {
  protected readonly rule: StoredRule
  protected readonly clock: Clock
  protected readonly stopping = new AbortController()
  private readonly records: RuleProgressRecords
  private readonly log: Log
  private current: RuleProgress
  private savedMs = 0
  private isSaved = true
  private failures = 0
  private done: Promise<void> | undefined

  constructor({ rule, progress, records, clock, log }: WorkerParts) {
    this.rule = rule
    this.records = records
    this.clock = clock
    this.log = log
    this.current = progress ?? freshProgress(rule)
  }

  get progress(): RuleProgress {
    return this.current
  }

  start(): void {
    this.done = this.run()
  }

  /** Interrupts the work and stores how far it has come. */
  async stop(): Promise<void> {
    await this.interrupt()
    await this.save()
  }

  /** Interrupts the work. */
  protected async interrupt(): Promise<void> {
    this.stopping.abort()
    await this.done
  }

  /** Waits until there may be something to do. */
  protected abstract wait(): Promise<void>

  /** Does what there is to do. */
  protected abstract work(): Promise<void>

  protected note(change: Partial<RuleProgress>): void {
    this.current = { ...this.current, ...change }
    this.isSaved = false
  }

  /** Like `note`, for progress that need not survive a restart. */
  protected show(change: Partial<RuleProgress>): void {
    this.current = { ...this.current, ...change }
  }

  protected async save(): Promise<void> {
    if (this.isSaved) return
    this.isSaved = true
    this.savedMs = performance.now()
    await this.records.save(this.rule.id, this.current)
  }

  /** Saves, but not more often than necessary: what was not saved is done again after a crash. */
  private async saveNowAndThen(): Promise<void> {
    if (performance.now() > this.savedMs + ruleLimits.ruleProgressMs) await this.save()
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping
    while (!signal.aborted) {
      try {
        await this.wait()
        if (signal.aborted) return
        await this.work()
        if (this.current.error !== null) this.note({ error: null, errorAt: null, retryAt: null })
        this.failures = 0
        await this.saveNowAndThen()
      } catch (cause) {
        if (signal.aborted) return
        await this.report(cause)
      }
    }
  }

  private async report(cause: unknown): Promise<void> {
    const isExpected = cause instanceof DomainError || cause instanceof ActionFailed
    const { id, projectId } = this.rule
    this.log[isExpected ? 'info' : 'error']({ err: cause, rule: id, project: projectId }, 'a rule failed')
    const error = isExpected
      ? cause.message.slice(0, ruleLimits.ruleErrorCharsMax)
      : 'Internal error; see the server log'
    const waitMs = Math.min(ruleLimits.ruleRetryMs * 2 ** this.failures, ruleLimits.ruleRetryMsMax)
    this.failures++
    const nowMicros = this.clock.nowMs() * 1000
    this.note({ error, errorAt: nowMicros, retryAt: nowMicros + waitMs * 1000 })
    await this.save().catch((err: unknown) => this.log.error({ err, rule: id }, 'could not save the state of a rule'))
    await delay(waitMs, this.stopping.signal)
  }
}
