import { Type } from '@sinclair/typebox'
import { parseExactly } from '../../formats/wire/exact-json.ts'
import { DomainError } from '../../lib/errors.ts'
import { ruleLimits } from '../../lib/limits/rules.ts'
import { formatTime } from '../../lib/time.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import { newId } from '../../runtime/platform/new-id.ts'
import type { Caller, ProjectReader, ProjectWriter } from '../access/index.ts'
import { type Job, type Jobs, requestOf } from '../jobs/index.ts'
import { writerOf } from './calls-worker.ts'
import { scorersOf } from './dry-runs.ts'
import type { CallPlace, MatchingCalls, StartRange } from './matching-calls.ts'
import type { Backfill } from './model/backfills.ts'
import type { RuleScoring } from './rule-scoring.ts'
import { Purse } from './spending.ts'
import type { StoredRule } from './stored-rule.ts'

/** Kind of the jobs. */
const backfillKind = 'backfill_rule'

/** The rule as it was then, as JSON text, and starts of calls in microseconds. */
const backfillRequest = Type.Object({
  rule_id: Type.String(),
  rule: Type.String(),
  start: Type.Integer(),
  end: Type.Integer(),
  cost_max: Type.Union([Type.Number(), Type.Null()]),
})

/** How far a backfill has come. */
interface Reached {
  readonly total: number | null
  readonly done: number
  readonly scored: number
  readonly failed: number
  readonly cost: number
  readonly stopped: 'cost_max' | null
  /** The last call that it has come to. */
  readonly place?: CallPlace
}

const fresh: Reached = { total: null, done: 0, scored: 0, failed: 0, cost: 0, stopped: null }

const reachedBy = ({ progress }: Job): Reached => ({ ...fresh, ...(progress as Partial<Reached> | undefined) })

interface BackfillParts {
  readonly jobs: Jobs
  readonly matching: MatchingCalls
  readonly scoring: RuleScoring
  readonly clock: Clock
}

/**
 * Has rules score calls that are stored already, as jobs that survive restarts. The ids of scores
 * follow from rule, call and scorer, so each call is scored once, on arrival or by a backfill. See
 * docs/decisions/256-scores-of-rules.md.
 */
export class Backfills {
  private readonly parts: BackfillParts
  /** Rules whose backfill is being accepted. */
  private readonly starting = new Set<string>()

  constructor(parts: BackfillParts) {
    this.parts = parts
    parts.jobs.register(backfillKind, {
      atOnceMax: ruleLimits.backfillsAtOnce,
      run: async (job, signal, progressed) => {
        await this.run(job, signal, progressed)
        return 'done'
      },
    })
  }

  /**
   * Accepts a backfill of a rule, which goes on with the rule as it is now.
   *
   * @throws DomainError InvalidRequest if the rule does not score, or another one is in progress;
   *   Overloaded
   */
  async start(
    caller: Caller,
    writer: ProjectWriter,
    rule: StoredRule,
    { start, end, costMax }: StartRange & { readonly costMax: number | null },
  ): Promise<Backfill> {
    scorersOf(rule)
    if (start >= end) throw new DomainError('InvalidRequest', '`start` must be before `end`')
    if (this.starting.has(rule.id)) throw inProgress()
    this.starting.add(rule.id)
    try {
      const last = await this.list(writer, rule.id)
      if (last.some(({ state }) => state === 'waiting' || state === 'running')) throw inProgress()
      const request = { rule_id: rule.id, rule: JSON.stringify(rule), start, end, cost_max: costMax }
      const { userId, userName } = caller
      const { projectId } = writer
      const id = newId()
      await this.parts.jobs.enqueue({ id, projectId, kind: backfillKind, request, userId, userName })
      return await this.get(writer, rule.id, id)
    } finally {
      this.starting.delete(rule.id)
    }
  }

  /** The last backfills of a rule, the newest first. */
  async list({ projectId }: ProjectReader, ruleId: string): Promise<Backfill[]> {
    const about = { member: 'rule_id', text: ruleId }
    const limit = ruleLimits.backfillsListed
    const found = await this.parts.jobs.list({ projectId, kind: backfillKind, states: [], about, limit })
    return found.map((job) => this.shown(job))
  }

  /**
   * Cancels a backfill; its scores are kept. @throws DomainError NotFound if none is in progress
   */
  async cancel(writer: ProjectWriter, ruleId: string, id: string): Promise<Backfill> {
    await this.get(writer, ruleId, id)
    if (await this.parts.jobs.cancel(writer.projectId, id)) return await this.get(writer, ruleId, id)
    throw new DomainError('NotFound', 'This backfill is not in progress')
  }

  /** Cancels the backfill of a rule that is deleted. */
  async drop(writer: ProjectWriter, ruleId: string): Promise<void> {
    const ids = (await this.list(writer, ruleId)).map(({ id }) => id)
    await this.parts.jobs.drop(writer.projectId, ids)
  }

  /** @throws DomainError NotFound */
  private async get(reader: ProjectReader, ruleId: string, id: string): Promise<Backfill> {
    const found = (await this.list(reader, ruleId)).find((backfill) => backfill.id === id)
    if (found === undefined) throw new DomainError('NotFound', 'The rule has no such backfill')
    return found
  }

  private shown(job: Job): Backfill {
    const { rule_id, start, end, cost_max } = requestOf(job, backfillRequest)
    const { place: _, ...reached } = reachedBy(job)
    const isRunning = job.state === 'waiting' && (reached.total !== null || this.parts.jobs.isRunning(job.id))
    return {
      id: job.id,
      rule_id,
      start: formatTime(start),
      end: formatTime(end),
      cost_max,
      // A backfill is not paused: nothing asks for that.
      state: isRunning ? 'running' : job.state === 'paused' ? 'waiting' : job.state,
      ...reached,
      error: job.error,
      created_at: formatTime(job.createdAt),
      updated_at: formatTime(job.updatedAt ?? job.createdAt),
    }
  }

  private async run(job: Job, signal: AbortSignal, progressed: (reached: Reached) => Promise<void>): Promise<void> {
    const { matching } = this.parts
    const request = requestOf(job, backfillRequest)
    // A query keeps numbers that JavaScript would round.
    const rule = parseExactly(request.rule) as StoredRule
    const writer = writerOf(rule)
    let reached = reachedBy(job)
    const note = async (change: Partial<Reached>): Promise<void> => {
      reached = { ...reached, ...change }
      await progressed(reached)
    }
    if (reached.total === null) await note({ total: await matching.count(writer, rule, request, signal) })
    const purse = new Purse(request.cost_max, reached.cost, () => note({ cost: purse.cost }))
    for (;;) {
      const calls = await matching.page(writer, rule, request, reached.place, signal)
      for (let at = 0; at < calls.length; at += ruleLimits.backfillScoredTogether) {
        signal.throwIfAborted()
        const batch = calls.slice(at, at + ruleLimits.backfillScoredTogether)
        const ids = batch.map(({ id }) => id)
        const { scored, failed, passed } = await this.parts.scoring.score(rule, scorersOf(rule), ids, signal, purse)
        const counts = { scored: reached.scored + scored, failed: reached.failed + failed, cost: purse.cost }
        if (passed > 0)
          return await note({ ...counts, done: reached.done + batch.length - passed, stopped: 'cost_max' })
        const { startedAt, id } = batch.at(-1) ?? reached.place ?? { startedAt: 0, id: '' }
        await note({ ...counts, done: reached.done + batch.length, place: { startedAt, id } })
      }
      if (calls.length < ruleLimits.backfillPage) return
    }
  }
}

const inProgress = (): DomainError => new DomainError('InvalidRequest', 'A backfill of this rule is in progress')
