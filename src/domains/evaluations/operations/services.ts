import type { Streams } from '../../requests/index.ts'
import type { EvaluationEngine } from '../engine/engine.ts'
import type { Evaluations } from '../evaluations.ts'
import type { JudgeChecks } from '../judge-check/judge-checks.ts'
import type { Leaderboards } from '../leaderboards/leaderboards.ts'
import type { EvaluationRunList } from '../list/run-list.ts'

/** The services that these operations are given. */
export interface EvaluationsServices {
  readonly evaluationEngine: EvaluationEngine
  readonly evaluations: Evaluations
  readonly evaluationRunList: EvaluationRunList
  readonly leaderboards: Leaderboards
  readonly judgeChecks: JudgeChecks
  readonly streams: Streams
}
