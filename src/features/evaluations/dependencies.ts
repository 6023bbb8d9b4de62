import type { Dialect } from '../../dialect/dialect.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Calls } from '../../records/calls/calls.ts'
import type { CallWork } from '../../records/calls/write-calls.ts'
import type { Feedback } from '../../records/feedback/feedback.ts'
import type { EvaluationCalls } from './evaluation-calls.ts'
import type { EvaluationResults } from './results/results.ts'
import type { SavedOps } from './saved-ops.ts'

/** Dependencies shared by the files of this folder. */
export interface EvaluationDependencies {
  readonly calls: Calls
  readonly feedback: Feedback
  readonly clock: Clock
  readonly dialect: Dialect
  readonly ops: SavedOps
  readonly reader: EvaluationCalls
  readonly results: EvaluationResults
  /** Runs executed by the server. */
  readonly work: CallWork
}
