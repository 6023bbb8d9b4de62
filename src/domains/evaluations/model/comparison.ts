import { type Static, Type } from '@sinclair/typebox'
import { QueryExpression } from '../../../formats/schemas/calls.ts'
import { Nullable, NullableNumber, NullableText, OpenObject } from '../../../formats/schemas/members.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { ProjectId } from '../../../lib/project-id.ts'

const ScoreName = Type.String({ description: 'Name of the scorer, or `<scorer>.<path>`' })

const MeasureName = Type.Union([Type.Literal('cost'), Type.Literal('latency')])

const View = Nullable(
  Type.String({
    description:
      'From an earlier response about the same runs: answers from what was read then, which is faster, as long as ' +
      'the server keeps it (some minutes)',
  }),
)

export const ComparisonRequest = OpenObject({
  project_id: ProjectId,
  evaluation_call_ids: Type.Array(Type.String(), {
    minItems: 2,
    maxItems: operationLimits.comparedRunsMax,
    description: 'Call ids of evaluation runs',
  }),
  baseline: Nullable(Type.String({ description: 'The run that the others are compared with; default: the first' })),
  scores: Nullable(Type.Array(ScoreName, { description: 'Only these scores; default: all with numbers or booleans' })),
  margins: Nullable(
    Type.Record(ScoreName, Type.Number({ minimum: 0 }), {
      description: 'By score: differences up to this size count as none; default: 0',
    }),
  ),
  lower_is_better: Nullable(Type.Array(ScoreName, { description: 'Scores that are better if they are lower' })),
  measures: Nullable(
    Type.Array(MeasureName, {
      description: 'Also compare these, lower being better: mean cost of a trial in dollars, latency in seconds',
    }),
  ),
  include_measures: Nullable(Type.Boolean({ description: 'Include `mean_cost` and `mean_latency` of the runs' })),
  view: View,
})
export type ComparisonRequest = Static<typeof ComparisonRequest>

const End = (which: string) =>
  Type.Union([Type.Number(), Type.Null()], { description: `${which} end of the 95 % interval` })
const bounds = { low: End('Lower'), high: End('Upper') }

export const Verdict = Type.Union(
  [Type.Literal('better'), Type.Literal('worse'), Type.Literal('same'), Type.Literal('cannot tell')],
  {
    description:
      '`same`: the whole interval lies within the margin. `better`, `worse`: the corrected p-value is below 0.05.',
  },
)
export type Verdict = Static<typeof Verdict>

const Difference = Type.Object({
  pairs: Type.Integer({ description: 'Rows that have this score in both runs' }),
  value: NullableNumber,
  ...bounds,
  gained: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Rows that now pass; null unless the test is mcnemar',
  }),
  lost: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Rows that now fail; null unless the test is mcnemar',
  }),
  test: Type.Union([Type.Literal('mcnemar'), Type.Literal('bootstrap'), Type.Null()], {
    description: 'Null if there are too few pairs to test',
  }),
  p_value: NullableNumber,
  p_corrected: Type.Union([Type.Number(), Type.Null()], {
    description: "The p-value after Holm's correction over all comparisons of the response",
  }),
  verdict: Verdict,
})
export type Difference = Static<typeof Difference>

const ScoreOfRun = Type.Object({
  evaluation_call_id: Type.String(),
  value: Type.Union([Type.Number(), Type.Null()], { description: 'Mean over the scored rows; true counts as 1' }),
  ...bounds,
  interval: Type.Union([Type.Literal('wilson'), Type.Literal('bootstrap'), Type.Null()]),
  scored_rows: Type.Integer({ description: 'Rows with this score' }),
  unscored_rows: Type.Integer({ description: 'Rows without it, although their trial did not fail' }),
  failed_rows: Type.Integer({ description: 'Rows without it because all of their trials failed' }),
  missing_rows: Type.Integer({ description: 'Rows of other runs that this run does not have' }),
  difference: Type.Union([Difference, Type.Null()], { description: 'From the baseline; null for the baseline itself' }),
})
export type ScoreOfRun = Static<typeof ScoreOfRun>

const ComparedScore = Type.Object({
  score: ScoreName,
  kind: Type.Union([Type.Literal('rate'), Type.Literal('mean')], {
    description: '`rate`: all values are booleans',
  }),
  margin: Type.Number(),
  lower_is_better: Type.Boolean(),
  runs: Type.Array(ScoreOfRun, { description: 'In the order of the request' }),
})
export type ComparedScore = Static<typeof ComparedScore>

const ComparedRun = Type.Object({
  evaluation_call_id: Type.String(),
  display_name: NullableText,
  evaluation_ref: NullableText,
  model_ref: NullableText,
  started_at: NullableText,
  row_count: Type.Integer(),
  trial_count: Type.Integer(),
  failed_trial_count: Type.Integer(),
  trace_id: Type.String(),
  mean_cost: Type.Union([Type.Number(), Type.Null()], {
    description: 'Dollars, over the rows whose cost is known; null unless requested',
  }),
  cost_rows: Type.Integer({ description: 'Rows whose cost is known' }),
  mean_latency: Type.Union([Type.Number(), Type.Null()], {
    description: 'Seconds, over the rows whose latency is known; null unless requested',
  }),
  latency_rows: Type.Integer({ description: 'Rows whose latency is known' }),
})
export type ComparedRun = Static<typeof ComparedRun>

export const DifferingVersions = Type.Object({
  kind: Type.Union([Type.Literal('dataset'), Type.Literal('scorer')]),
  name: Type.String({ description: 'Of the dataset, or of the scorer as its scores name it' }),
  versions: Type.Array(
    Type.Object({
      ref: Type.String(),
      version_index: Type.Union([Type.Integer(), Type.Null()], { description: 'Null if the version does not exist' }),
      evaluation_call_ids: Type.Array(Type.String()),
    }),
  ),
})
export type DifferingVersions = Static<typeof DifferingVersions>

export const Comparison = Type.Object({
  view: Type.String({ description: 'For `view` of further requests about the same runs' }),
  baseline: Type.String(),
  row_count: Type.Integer({ description: 'Rows of all runs together' }),
  shared_row_count: Type.Integer({ description: 'Rows that every run has' }),
  confidence: Type.Number(),
  resamples: Type.Integer({ description: 'Samples drawn for each bootstrap interval' }),
  comparisons: Type.Integer({ description: 'Tests that the p-values are corrected for' }),
  runs: Type.Array(ComparedRun),
  scores: Type.Array(ComparedScore, { description: 'In the order of their names' }),
  measures: Type.Array(ComparedScore, { description: 'Those of the request' }),
  differing_versions: Type.Array(DifferingVersions, {
    description: 'Datasets and scorers of which the runs have different versions',
  }),
  warnings: Type.Array(Type.String()),
})
export type Comparison = Static<typeof Comparison>

const rowsShown = ['all', 'changed', 'regressions', 'disagreement', 'incomplete'] as const
export type RowsShown = (typeof rowsShown)[number]

const Shown = Type.Union(
  rowsShown.map((each) => Type.Literal(each)),
  {
    default: 'all',
    description:
      '`changed`: a run scores the row otherwise than the baseline. `regressions`: a run scores it worse. ' +
      '`disagreement`: the other runs do not agree with each other. `incomplete`: the row is missing, failed or ' +
      'has no score in a run.',
  },
)
const rowOrders = ['row', 'loss', 'gain', 'difference', 'value'] as const

const RowOrder = Type.Union(
  rowOrders.map((each) => Type.Literal(each)),
  {
    default: 'row',
    description:
      '`row`: as the baseline ran them. `loss`, `gain`: largest loss or gain against the baseline first. ' +
      '`difference`: largest difference of any run first. `value`: lowest value of `sort_run` first.',
  },
)

export const ComparedRowsRequest = OpenObject({
  project_id: ProjectId,
  evaluation_call_ids: ComparisonRequest.properties.evaluation_call_ids,
  baseline: ComparisonRequest.properties.baseline,
  score: Nullable(Type.String({ description: 'The score that rows are compared by; default: the first' })),
  margin: Nullable(Type.Number({ minimum: 0, description: 'Differences up to this size count as none; default: 0' })),
  lower_is_better: Nullable(Type.Boolean({ description: 'Whether the score is better if it is lower' })),
  show: Type.Optional(Shown),
  sort: Type.Optional(RowOrder),
  sort_run: Nullable(Type.String({ description: 'For `value`; default: the baseline' })),
  query: Nullable({
    ...QueryExpression,
    description: 'Only rows of which any run matches: `inputs.…`, `outputs`, `scores.…`',
  }),
  slice_by: Nullable(Type.String({ description: 'A column of the rows, by whose values the scores are averaged' })),
  offset: Nullable(Type.Integer({ minimum: 0, default: 0 })),
  limit: Nullable(Type.Integer({ minimum: 0, maximum: operationLimits.comparedRowsPageMax, default: 100 })),
  view: View,
})
export type ComparedRowsRequest = Static<typeof ComparedRowsRequest>

const SliceOfRun = Type.Object({
  evaluation_call_id: Type.String(),
  value: Type.Union([Type.Number(), Type.Null()], { description: 'Mean over the rows with the score' }),
  scored_rows: Type.Integer(),
})

const CellOfRun = Type.Object({
  trial_count: Type.Integer(),
  failed_trial_count: Type.Integer(),
  values: Type.Array(NullableNumber, { description: 'Means of the trials, in the order of `scores`' }),
  change: Type.Union([Type.Literal('gained'), Type.Literal('lost'), Type.Null()], {
    description: 'Against the baseline; null if there is none, or nothing to compare',
  }),
  latency_seconds: NullableNumber,
  cost: Type.Union([Type.Number(), Type.Null()], { description: 'Dollars, mean of the trials' }),
  exception: NullableText,
  predict_and_score_call_id: Type.String({ description: 'The first trial' }),
})

export const ComparedRows = Type.Object({
  view: Type.String({ description: 'For `view` of further requests about the same runs' }),
  baseline: Type.String(),
  score: NullableText,
  scores: Type.Array(Type.Object({ score: Type.String(), kind: ComparedScore.properties.kind })),
  total_rows: Type.Integer({ description: 'Rows that are shown, on all pages' }),
  counts: Type.Object(
    {
      all: Type.Integer(),
      changed: Type.Integer(),
      regressions: Type.Integer(),
      disagreement: Type.Integer(),
      incomplete: Type.Integer(),
    },
    { description: 'Rows that match the query, by what `show` would leave of them' },
  ),
  runs: Type.Array(SliceOfRun, { description: 'Scores over the rows that match the query' }),
  slices: Type.Array(Type.Object({ value: Type.String(), row_count: Type.Integer(), runs: Type.Array(SliceOfRun) }), {
    description: 'The most frequent values of `slice_by`; a row with a list is in several',
  }),
  columns: Type.Array(Type.String(), { description: 'Columns of the rows of this page' }),
  rows: Type.Array(
    Type.Object({
      row_digest: Type.String(),
      number: Type.Integer({ description: 'From 1, in the order `row`' }),
      input: Type.String({ description: 'The beginning of the row, as text' }),
      runs: Type.Array(Type.Union([CellOfRun, Type.Null()]), {
        description: 'In the order of the request; null if the run does not have the row',
      }),
    }),
  ),
})
export type ComparedRows = Static<typeof ComparedRows>
