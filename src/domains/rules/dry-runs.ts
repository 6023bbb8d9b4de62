import { DomainError } from '../../lib/errors.ts'
import { ruleLimits } from '../../lib/limits/rules.ts'
import { present } from '../../lib/present.ts'
import { formatTime } from '../../lib/time.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import type { ProjectWriter } from '../access/index.ts'
import type { MatchingCalls } from './matching-calls.ts'
import type { DryRunLine } from './model/dry-run.ts'
import type { RuleScoring } from './rule-scoring.ts'
import { Purse } from './spending.ts'
import type { StoredRule } from './stored-rule.ts'

const dayMicros = 86_400_000_000

/** The scorers of a rule. @throws DomainError InvalidRequest for a rule with another action */
export function scorersOf({ action }: StoredRule): readonly string[] {
  if (action.kind === 'score') return action.scorer_refs
  throw new DomainError('InvalidRequest', 'This is for rules that score; the rule has another action')
}

/** Says what rules would do with the calls that are stored. */
export class DryRuns {
  private readonly parts: { readonly matching: MatchingCalls; readonly scoring: RuleScoring; readonly clock: Clock }
  private running = 0

  constructor(parts: DryRuns['parts']) {
    this.parts = parts
  }

  /**
   * Runs the scorers of a rule on the newest calls that it would score, and stores nothing. The
   * calls come in the order in which they are done.
   *
   * @throws DomainError InvalidRequest, NotFound; Overloaded
   */
  async *lines(
    writer: ProjectWriter,
    rule: StoredRule,
    limit: number,
    signal: AbortSignal,
  ): AsyncGenerator<DryRunLine> {
    const scorers = scorersOf(rule)
    if (this.running >= ruleLimits.dryRunsAtOnce) {
      throw new DomainError('Overloaded', 'Too many dry runs are in progress; try again in a moment')
    }
    this.running++
    try {
      yield* this.run(writer, rule, scorers, limit, signal)
    } finally {
      this.running--
    }
  }

  private async *run(
    writer: ProjectWriter,
    rule: StoredRule,
    scorers: readonly string[],
    limit: number,
    signal: AbortSignal,
  ): AsyncGenerator<DryRunLine> {
    const { matching, scoring, clock } = this.parts
    const now = clock.nowMs() * 1000
    const calls = await matching.newest(writer, rule, limit, signal)
    const lastDay = await matching.count(writer, rule, { start: now - dayMicros, end: now }, signal)
    yield { kind: 'start', calls: calls.length, calls_last_day: lastDay }
    const byId = new Map(calls.map((call) => [call.id, call]))
    const purse = new Purse(rule.daily_cost_max)
    let scored = 0
    let failed = 0
    for await (const { call_id, scores } of scoring.tryScorers(rule, scorers, [...byId.keys()], signal, purse)) {
      const { traceId, opName, startedAt } = present(byId.get(call_id), 'The call that was scored')
      scored++
      failed += scores.filter(({ error }) => error !== null).length
      const place = { trace_id: traceId, op_name: opName, started_at: formatTime(startedAt) }
      yield { kind: 'call', call_id, ...place, scores: [...scores] }
    }
    yield {
      kind: 'end',
      scored,
      failed,
      cost: purse.cost,
      cost_per_day: scored === 0 ? null : (purse.cost / scored) * lastDay,
      stopped: scored < calls.length && purse.isSpent() ? 'daily_cost_max' : null,
    }
  }
}
