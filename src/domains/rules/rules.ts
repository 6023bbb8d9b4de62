import { KeyedMutex } from '../../lib/concurrency.ts'
import { DomainError } from '../../lib/errors.ts'
import { operationLimits } from '../../lib/limits/operations.ts'
import { ruleLimits } from '../../lib/limits/rules.ts'
import { formatTime } from '../../lib/time.ts'
import { type Clock, MonotonicClock } from '../../runtime/platform/clock.ts'
import { newId } from '../../runtime/platform/new-id.ts'
import type { Caller, ProjectReader, ProjectWriter } from '../access/index.ts'
import { parseTimeRange } from '../records/index.ts'
import { alertBody } from './alert-body.ts'
import type { Backfills } from './backfills.ts'
import { type Deliveries, deliveryOf } from './deliveries.ts'
import type { DryRuns } from './dry-runs.ts'
import type { Backfill, BackfillCreate } from './model/backfills.ts'
import type { DryRunLine } from './model/dry-run.ts'
import type { Delivery, Rule, RuleCreate, RuleStatus, RuleUpdate } from './model/rules.ts'
import type { RuleChecks } from './rule-checks.ts'
import type { RuleProgress } from './rule-progress.ts'
import type { RuleRecords } from './rule-records.ts'
import type { RuleRunner } from './rule-runner.ts'
import { newSigningSecret, type RuleSecrets } from './rule-secrets.ts'
import { costOn, endOfDay } from './spending.ts'
import type { StoredRule } from './stored-rule.ts'

/** A rule as the API shows it. */
const ruleOf = (rule: StoredRule, progress: RuleProgress, nowMicros: number): Rule => ({
  id: rule.id,
  project_id: rule.projectId,
  name: rule.name,
  filter: rule.filter,
  query: rule.query,
  sample_rate: rule.sample_rate,
  daily_cost_max: rule.daily_cost_max,
  condition: rule.condition,
  action: rule.action,
  is_paused: rule.is_paused,
  created_at: formatTime(rule.createdAt),
  created_by: rule.createdBy,
  updated_at: formatTime(rule.updatedAt),
  status: statusOf(rule, progress, nowMicros),
})

function statusOf(rule: StoredRule, progress: RuleProgress, nowMicros: number): RuleStatus {
  const { is_paused, condition, daily_cost_max } = rule
  const hasAlert = condition !== null
  const cost = costOn(progress.spending, nowMicros)
  const isCapped = daily_cost_max !== null && cost >= daily_cost_max
  const isWorking = progress.error === null ? (isCapped ? 'capped' : 'active') : 'failing'
  return {
    state: is_paused ? 'paused' : isWorking,
    capped_until: isCapped ? formatTime(endOfDay(nowMicros)) : null,
    cost_today: cost,
    passed: progress.passed,
    alert: hasAlert ? progress.alert : null,
    alert_since: timeOf(progress.alertSince),
    value: progress.value,
    evaluated_at: timeOf(progress.evaluatedAt),
    position: hasAlert ? null : formatTime(progress.position),
    handled: progress.handled,
    rejected: progress.rejected,
    handled_at: timeOf(progress.handledAt),
    error: progress.error,
    error_at: timeOf(progress.errorAt),
    retry_at: timeOf(progress.retryAt),
  }
}

const timeOf = (micros: number | null): string | null => (micros === null ? null : formatTime(micros))

interface RulesParts {
  readonly records: RuleRecords
  readonly runner: RuleRunner
  readonly secrets: RuleSecrets
  readonly checks: RuleChecks
  readonly deliveries: Deliveries
  readonly dryRuns: DryRuns
  readonly backfills: Backfills
  readonly clock: Clock
}

/** Rules: what the server does with calls as they arrive. */
export class Rules {
  private readonly parts: RulesParts
  private readonly clock: MonotonicClock
  private readonly locks = new KeyedMutex()

  constructor(parts: RulesParts) {
    this.parts = parts
    this.clock = new MonotonicClock(parts.clock)
  }

  /** Reads the stored rules and continues with them. Call once, at startup. */
  async resume(): Promise<void> {
    await this.parts.records.load()
    await this.parts.runner.resume(this.parts.records.all())
  }

  /** Stops all work, when no more calls can be written. */
  async stop(): Promise<void> {
    await this.parts.runner.stop()
  }

  /**
   * Creates a rule, which applies to calls that arrive from then on.
   *
   * @throws DomainError InvalidRequest, InvalidField, NotFound
   */
  async create(
    caller: Caller,
    writer: ProjectWriter,
    requested: RuleCreate,
  ): Promise<{ rule: Rule; signing_secret: string | null }> {
    return await this.locks.run(writer.projectId, async () => {
      const { records, runner, checks } = this.parts
      records.checkRoom(writer)
      const now = this.clock.nowMicros()
      const rule: StoredRule = {
        id: newId(),
        projectId: writer.projectId,
        name: requested.name,
        ...(await checks.definition(writer, requested)),
        createdAt: now,
        createdBy: caller.userId,
        createdByName: caller.userName,
        updatedAt: now,
      }
      // First, so that no rule exists without it.
      const signing_secret = await this.keepSecret(writer, rule, requested)
      await records.put(rule)
      runner.start(rule)
      return { rule: this.shown(rule), signing_secret }
    })
  }

  /** The rules of a project, the oldest first. */
  list(reader: ProjectReader): Rule[] {
    return this.parts.records.list(reader).map((rule) => this.shown(rule))
  }

  /** @throws DomainError NotFound */
  read(reader: ProjectReader, id: string): Rule {
    return this.shown(this.parts.records.get(reader, id))
  }

  /**
   * Changes the given members and keeps the others. @throws DomainError NotFound, InvalidRequest,
   * InvalidField
   */
  async update(writer: ProjectWriter, id: string, changes: RuleUpdate): Promise<Rule> {
    return await this.locks.run(writer.projectId, async () => {
      const { records, runner, checks } = this.parts
      const before = records.get(writer, id)
      const definition = await checks.definition(writer, changes, before)
      const name = changes.name ?? before.name
      const changed: StoredRule = { ...before, name, ...definition, updatedAt: this.clock.nowMicros() }
      const rule = await this.withKeptHeaders(writer, before, changed, changes)
      await records.put(rule)
      await runner.restart(rule, { isFromNow: before.is_paused && !rule.is_paused && rule.action.kind !== 'forward' })
      return this.shown(rule)
    })
  }

  /** @throws DomainError NotFound */
  async delete(writer: ProjectWriter, id: string): Promise<Rule> {
    return await this.locks.run(writer.projectId, async () => {
      const { records, runner, secrets } = this.parts
      const rule = this.shown(records.get(writer, id))
      await this.parts.backfills.drop(writer, id)
      await records.remove(id)
      await runner.remove(id)
      await secrets.remove(writer, id)
      return rule
    })
  }

  /**
   * Says what a rule would do with the newest calls.
   *
   * @throws DomainError NotFound, InvalidRequest, Overloaded
   */
  dryRun(
    writer: ProjectWriter,
    id: string,
    limit: number | null | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<DryRunLine> {
    const rule = this.parts.records.get(writer, id)
    return this.parts.dryRuns.lines(writer, rule, limit ?? ruleLimits.dryRunCallsMax, signal)
  }

  /** Accepts scoring of stored calls. @throws DomainError NotFound, InvalidRequest, Overloaded */
  async startBackfill(caller: Caller, writer: ProjectWriter, id: string, requested: BackfillCreate): Promise<Backfill> {
    const nowMs = this.parts.clock.nowMs()
    const range = parseTimeRange({ ...requested, granularity: operationLimits.statsBucketSecondsMax }, nowMs)
    const { start } = range
    // Calls that start from now on are the rule's own.
    const end = Math.min(range.end, nowMs * 1000)
    return await this.locks.run(writer.projectId, async () => {
      const rule = this.parts.records.get(writer, id)
      return await this.parts.backfills.start(caller, writer, rule, { start, end, costMax: requested.cost_max ?? null })
    })
  }

  /** The last backfills of a rule, the newest first. @throws DomainError NotFound */
  async listBackfills(reader: ProjectReader, id: string): Promise<Backfill[]> {
    return await this.parts.backfills.list(reader, this.parts.records.get(reader, id).id)
  }

  /** @throws DomainError NotFound */
  async cancelBackfill(writer: ProjectWriter, id: string, backfillId: string): Promise<Backfill> {
    return await this.parts.backfills.cancel(writer, this.parts.records.get(writer, id).id, backfillId)
  }

  /** The last webhook requests of a rule, the newest first. @throws DomainError NotFound */
  async listDeliveries(reader: ProjectReader, id: string, limit: number | null | undefined): Promise<Delivery[]> {
    this.parts.records.get(reader, id)
    const found = await this.parts.deliveries.last(id, limit ?? ruleLimits.deliveriesListedDefault)
    return found.map(deliveryOf)
  }

  /**
   * Has a webhook delivered as if the alert had changed; returns the id of the delivery. @throws
   * DomainError NotFound; InvalidRequest if the rule has no webhook
   */
  async test(writer: ProjectWriter, id: string): Promise<string> {
    const rule = this.parts.records.get(writer, id)
    const { condition, action } = rule
    if (action.kind !== 'webhook' || condition === null) {
      throw new DomainError('InvalidRequest', 'Only rules with a webhook can be tested')
    }
    const now = this.clock.nowMicros()
    const body = alertBody('rule.test', rule, condition, { value: null, count: 0 }, now)
    const deliveryId = newId()
    await this.parts.runner.deliver(id, { deliveryId, type: 'rule.test', body, at: now })
    return deliveryId
  }

  /** Stores what a new rule sends and signs with. Returns the signing key of a webhook. */
  private async keepSecret(writer: ProjectWriter, rule: StoredRule, requested: RuleCreate): Promise<string | null> {
    const { action } = rule
    if (!('url' in action)) return null
    const isWebhook = action.kind === 'webhook'
    const signing_secret = isWebhook ? (requested.signing_secret ?? newSigningSecret()) : undefined
    await this.parts.secrets.set(writer, rule.id, action.url, {
      signing_secret,
      headers: headersIn(requested.action) ?? {},
    })
    return signing_secret ?? null
  }

  /** Stores what a changed rule sends and signs with; headers are not sent to another host. */
  private async withKeptHeaders(
    writer: ProjectWriter,
    before: StoredRule,
    rule: StoredRule,
    changes: RuleUpdate,
  ): Promise<StoredRule> {
    const { secrets } = this.parts
    const { action } = rule
    if (!('url' in action)) {
      await secrets.remove(writer, rule.id)
      return rule
    }
    if (!changes.action && !changes.signing_secret) return rule
    const known = 'url' in before.action ? await secrets.find(writer, rule.id, before.action.url) : undefined
    const isSameHost = 'url' in before.action && new URL(before.action.url).host === new URL(action.url).host
    const headers = headersIn(changes.action) ?? (isSameHost ? (known?.headers ?? {}) : {})
    const isWebhook = action.kind === 'webhook'
    const signing_secret = isWebhook
      ? (changes.signing_secret ?? known?.signing_secret ?? newSigningSecret())
      : undefined
    await secrets.set(writer, rule.id, action.url, { signing_secret, headers })
    return { ...rule, action: { ...action, header_names: Object.keys(headers) } }
  }

  private shown(rule: StoredRule): Rule {
    return ruleOf(rule, this.parts.runner.progressOf(rule), this.parts.clock.nowMs() * 1000)
  }
}

const headersIn = (action: RuleUpdate['action']) => (action && 'headers' in action ? action.headers : undefined)
