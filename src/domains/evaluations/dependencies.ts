import type { Dialect } from '../../formats/dialect/dialect.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import type { Calls, CallWork } from '../calls/index.ts'
import type { Feedback } from '../feedback/index.ts'
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
