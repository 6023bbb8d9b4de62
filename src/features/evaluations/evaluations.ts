import type { Dialect } from '../../dialect/dialect.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Calls } from '../../records/calls/calls.ts'
import type { CallWork } from '../../records/calls/write-calls.ts'
import type { Costs } from '../../records/costs/costs.ts'
import type { Feedback } from '../../records/feedback/feedback.ts'
import type { Store } from '../../store/store.ts'
import type { ObjectBuilder } from '../typed-objects/object-builder.ts'
import type { EvaluationDependencies } from './dependencies.ts'
import { EvaluationCalls } from './evaluation-calls.ts'
import { EvaluationRuns } from './evaluation-runs.ts'
import { Predictions } from './predictions.ts'
import { EvaluationResults } from './results/results.ts'
import { SavedOps } from './saved-ops.ts'
import { Scores } from './scores.ts'

/** Evaluations as calls: runs, predictions, scores, and their results. */
export class Evaluations {
  readonly runs: EvaluationRuns
  readonly predictions: Predictions
  readonly scores: Scores
  readonly results: EvaluationResults

  constructor(options: {
    store: Store
    calls: Calls
    costs: Costs
    feedback: Feedback
    clock: Clock
    dialect: Dialect
    builder: ObjectBuilder
    work: CallWork
  }) {
    const { store, costs, clock, builder } = options
    const ops = new SavedOps(builder, clock)
    this.results = new EvaluationResults({ store, costs })
    const reader = new EvaluationCalls({ store })
    const deps: EvaluationDependencies = { ...options, ops, reader, results: this.results }
    this.runs = new EvaluationRuns(deps)
    this.predictions = new Predictions(deps)
    this.scores = new Scores(deps)
  }
}
