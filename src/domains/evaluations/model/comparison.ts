import { type Static, Type } from '@sinclair/typebox'
import { Nullable, NullableNumber, NullableText, OpenObject } from '../../../formats/schemas/members.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { ProjectId } from '../../../lib/project-id.ts'

const ScoreName = Type.String({ description: 'Name of the scorer, or `<scorer>.<path>`' })

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
})
export type ComparedRun = Static<typeof ComparedRun>

export const Comparison = Type.Object({
  baseline: Type.String(),
  row_count: Type.Integer({ description: 'Rows of all runs together' }),
  shared_row_count: Type.Integer({ description: 'Rows that every run has' }),
  confidence: Type.Number(),
  resamples: Type.Integer({ description: 'Samples drawn for each bootstrap interval' }),
  comparisons: Type.Integer({ description: 'Tests that the p-values are corrected for' }),
  runs: Type.Array(ComparedRun),
  scores: Type.Array(ComparedScore, { description: 'In the order of their names' }),
  warnings: Type.Array(Type.String()),
})
export type Comparison = Static<typeof Comparison>
