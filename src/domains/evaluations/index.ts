/**
 * Evaluations: running them, their results and their scores. Other code imports this subject
 * through this file.
 */

export type { EvaluationEngine } from './engine/engine.ts'
export { openEngine } from './engine/open-engine.ts'
export type { ScoreBudget, ScoredCalls } from './engine/score-calls.ts'
export type { TriedCall } from './engine/try-scorers.ts'
export { Evaluations } from './evaluations.ts'
export { JudgeChecks } from './judge-check/judge-checks.ts'
export { Leaderboards } from './leaderboards/leaderboards.ts'
export type { ComparedRows, Comparison, ScoreOfRun } from './model/comparison.ts'
export type { EvalResults, EvalResultsEvaluationSummary, EvalResultsScorerStats } from './model/eval-results.ts'
export type { JudgeCheck, JudgeCheckFigures, JudgedTrial, LabelChoice, LabelSource } from './model/judge-check.ts'
export type { Leaderboard, LeaderboardCell, LeaderboardColumn, LeaderboardRow } from './model/leaderboard.ts'
export type { ChosenRows, RowChoice } from './model/row-choice.ts'
export type { ListedRun, ListedScore, RunList, RunState } from './model/run-list.ts'
export { evalResultsApi } from './operations/eval-results/index.ts'
export { evaluationRunsApi } from './operations/evaluation-runs/index.ts'
export { evaluationsApi } from './operations/evaluations/index.ts'
export { judgeCheckApi } from './operations/judge-check/index.ts'
export { leaderboardsApi } from './operations/leaderboards/index.ts'
export { predictionsApi } from './operations/predictions/index.ts'
export { scoresApi } from './operations/scores/index.ts'
