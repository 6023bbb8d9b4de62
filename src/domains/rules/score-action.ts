import { limits } from '../../lib/limits.ts'
import type { EvaluationEngine } from '../evaluations/engine/engine.ts'
import type { CallsAction } from './calls-worker.ts'
import { Semaphore } from './semaphore.ts'
import type { StoredRule } from './stored-rule.ts'

const scoring = new Semaphore(limits.ruleScoringMax)

/**
 * Runs scorers on calls. The ids of the scores follow from the rule, the call and the scorer, so a
 * call is never scored twice.
 */
export function scoreAction(engine: EvaluationEngine, rule: StoredRule, scorerRefs: readonly string[]): CallsAction {
  const { id, projectId, createdBy: userId, createdByName: userName } = rule
  return {
    callsMax: limits.ruleScoredTogether,
    also: isNoScore,
    handle: async (calls, signal) => {
      const call_ids = calls.map((call) => call.id)
      await scoring.run(() =>
        engine.scoreOnArrival({ id, projectId, userId, userName, call_ids, scorer_refs: scorerRefs }, signal),
      )
      return undefined
    },
  }
}

/** Leaves out calls that record scores: a rule would score its own scores. */
const isNoScore = {
  $not: [
    {
      $and: [
        { $contains: { input: { $getField: 'op_name' }, substr: { $literal: '.score' } } },
        {
          $or: ['ext', 'weave'].map((namespace) => ({
            $eq: [{ $getField: `attributes.${namespace}.score` }, { $literal: 'true' }],
          })),
        },
      ],
    },
  ],
}
