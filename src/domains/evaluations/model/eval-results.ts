import { type Static, Type } from '@sinclair/typebox'
import { QueryExpression, SortBy } from '../../../formats/schemas/calls.ts'
import {
  FreeObject,
  Nullable,
  NullableInteger,
  NullableNumber,
  NullableText,
  OpenObject,
} from '../../../formats/schemas/members.ts'
import { GenAiSpanRef } from './evaluation-runs.ts'

const flag = (value: boolean, description: string) =>
  Type.Optional(Type.Union([Type.Boolean(), Type.Null()], { default: value, description }))

export const EvalResultsSortBy = OpenObject({
  ...SortBy.properties,
  evaluation_call_id: Nullable(Type.String({ description: 'Considers only this evaluation' })),
  mode: Nullable(
    Type.Union([Type.Literal('value'), Type.Literal('difference')], {
      default: 'value',
      description: '`difference` sorts by the spread between the evaluations (scores only)',
    }),
  ),
})
export type EvalResultsSortBy = Static<typeof EvalResultsSortBy>

export const EvalResultsFilter = OpenObject({
  evaluation_call_id: Nullable(Type.String({ description: 'Considers only this evaluation' })),
  query: QueryExpression,
})
export type EvalResultsFilter = Static<typeof EvalResultsFilter>

const ids = (description: string) => Nullable(Type.Array(Type.String(), { description }))

export const EvalResultsRequest = OpenObject({
  evaluation_call_ids: ids('Call ids of evaluation runs'),
  evaluation_run_ids: ids('Same as `evaluation_call_ids`'),
  require_intersection: flag(false, 'Only rows present in all evaluations'),
  include_raw_data_rows: flag(false, 'Include `raw_data_row`'),
  resolve_row_refs: flag(false, 'Replace refs to dataset rows with the rows'),
  include_rows: flag(true, 'Include `rows` and `total_rows`'),
  include_summary: flag(false, 'Include `summary`'),
  summary_require_intersection: Nullable(Type.Boolean({ description: 'Defaults to `require_intersection`' })),
  include_predict_and_score_children: flag(true, 'Include data from the calls of the model and the scorers'),
  include_costs: flag(false, 'Include the costs of the model calls'),
  sort_by: Nullable(Type.Array(EvalResultsSortBy)),
  filters: Nullable(Type.Array(EvalResultsFilter)),
  filter_logic_operator: Nullable(
    Type.Union([Type.Literal('and'), Type.Literal('or')], {
      default: 'or',
      description: 'Whether a filter must match in all evaluations (`and`) or in any (`or`)',
    }),
  ),
  limit: Nullable(Type.Integer()),
  offset: Nullable(Type.Integer({ default: 0 })),
})
export type EvalResultsRequest = Static<typeof EvalResultsRequest>

const EvalResultsTrial = Type.Object({
  predict_and_score_call_id: Type.String(),
  predict_call_id: NullableText,
  model_output: Type.Unknown(),
  scores: FreeObject,
  model_latency_seconds: NullableNumber,
  total_tokens: NullableInteger,
  total_cost: NullableNumber,
  scorer_call_ids: Type.Record(Type.String(), Type.String()),
  genai_span_ref: Type.Union([Type.Array(GenAiSpanRef), Type.Null()]),
})

const EvalResultsRow = Type.Object({
  row_digest: Type.String(),
  raw_data_row: Type.Unknown(),
  evaluations: Type.Array(Type.Object({ evaluation_call_id: Type.String(), trials: Type.Array(EvalResultsTrial) })),
})

/** Statistics of one scalar path in the scores of one scorer, over the trials of one evaluation. */
export const EvalResultsScorerStats = Type.Object({
  scorer_key: Type.String(),
  path: NullableText,
  value_type: Type.Union([Type.Literal('binary'), Type.Literal('continuous'), Type.Literal('text'), Type.Null()]),
  trial_count: Type.Integer(),
  numeric_count: Type.Integer(),
  numeric_mean: NullableNumber,
  pass_true_count: Type.Integer(),
  pass_known_count: Type.Integer(),
  pass_rate: NullableNumber,
  pass_signal_coverage: NullableNumber,
})
export type EvalResultsScorerStats = Static<typeof EvalResultsScorerStats>

export const EvalResultsEvaluationSummary = Type.Object({
  evaluation_call_id: Type.String(),
  trial_count: Type.Integer(),
  scorer_stats: Type.Array(EvalResultsScorerStats),
  predict_total_tokens: NullableInteger,
  predict_total_cost: NullableNumber,
  evaluation_ref: NullableText,
  model_ref: NullableText,
  display_name: NullableText,
  trace_id: NullableText,
  started_at: NullableText,
})
export type EvalResultsEvaluationSummary = Static<typeof EvalResultsEvaluationSummary>

const EvalResultsSummary = Type.Object({
  row_count: Type.Integer(),
  evaluations: Type.Array(EvalResultsEvaluationSummary),
})
export type EvalResultsSummary = Static<typeof EvalResultsSummary>

export const EvalResults = Type.Object({
  rows: Type.Array(EvalResultsRow),
  total_rows: Type.Integer(),
  summary: Type.Union([EvalResultsSummary, Type.Null()]),
  warnings: Type.Array(Type.String()),
})
