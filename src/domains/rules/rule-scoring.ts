import { dialects } from '../../formats/dialect/dialect.ts'
import { KeyedMutex } from '../../lib/concurrency.ts'
import { ruleLimits } from '../../lib/limits/rules.ts'
import { Semaphore } from '../../lib/semaphore.ts'
import { allOf, anyOf, contains, equals, not } from '../../query/grammar.ts'
import type { EvaluationEngine, ScoreBudget, ScoredCalls, TriedCall } from '../evaluations/index.ts'
import type { CallsAction } from './calls-worker.ts'
import type { StoredRule } from './stored-rule.ts'

/** Leaves out calls that record scores: a rule would score its own scores. */
export const isNoScore = not(
  allOf(
    contains('op_name', '.score'),
    anyOf(...Object.values(dialects).map(({ namespace }) => equals(`attributes.${namespace}.score`, 'true'))),
  ),
)

/** The scorers of a rule and on whose behalf they run. */
export type ScoringRule = Pick<StoredRule, 'id' | 'projectId' | 'createdBy' | 'createdByName'>

/**
 * Runs the scorers of rules. The ids of the scores follow from the rule, the call and the scorer,
 * so a call is never scored twice: new calls and those of a backfill are scored by turns.
 */
export class RuleScoring {
  private readonly engine: EvaluationEngine
  private readonly places = new Semaphore(ruleLimits.ruleScoringMax)
  private readonly turns = new KeyedMutex()

  constructor(engine: EvaluationEngine) {
    this.engine = engine
  }

  /** The action of a rule on new calls. */
  action(rule: StoredRule, scorerRefs: readonly string[]): CallsAction {
    return {
      callsMax: ruleLimits.ruleScoredTogether,
      also: isNoScore,
      handle: async (calls, signal, budget) => {
        const ids = calls.map(({ id }) => id)
        const { passed } = await this.places.run(() => this.score(rule, scorerRefs, ids, signal, budget))
        return { passed }
      },
    }
  }

  /** Scores the calls that the rule has not scored yet. @throws DomainError */
  async score(
    rule: ScoringRule,
    scorer_refs: readonly string[],
    call_ids: readonly string[],
    signal: AbortSignal,
    budget: ScoreBudget,
  ): Promise<ScoredCalls> {
    const work = { ...workOf(rule), id: rule.id, call_ids, scorer_refs }
    return await this.turns.run(rule.id, () => this.engine.scoreOnArrival(work, signal, budget))
  }

  /** Says how the calls would be scored, and stores nothing. @throws DomainError */
  tryScorers(
    rule: ScoringRule,
    scorer_refs: readonly string[],
    call_ids: readonly string[],
    signal: AbortSignal,
    budget: ScoreBudget,
  ): AsyncGenerator<TriedCall> {
    return this.engine.tryScorers({ ...workOf(rule), call_ids, scorer_refs }, signal, budget)
  }
}

const workOf = ({ projectId, createdBy, createdByName }: ScoringRule) => ({
  projectId,
  userId: createdBy,
  userName: createdByName,
})
