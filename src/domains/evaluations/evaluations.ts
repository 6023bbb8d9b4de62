import type { Store } from '../../engine/store.ts'
import type { Dialect } from '../../formats/dialect/dialect.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import type { Calls } from '../calls/calls.ts'
import type { CallWork } from '../calls/write-calls.ts'
import type { Costs } from '../costs/costs.ts'
import type { Feedback } from '../feedback/feedback.ts'
import type { ObjectBuilder } from '../objects/typed-objects/object-builder.ts'
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
