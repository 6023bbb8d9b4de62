import { type Static, Type } from '@sinclair/typebox'
import { Nullable, NullableNumber, NullableText, OpenObject } from '../../../formats/schemas/members.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { ProjectId } from '../../../lib/project-id.ts'
import { DifferingVersions } from './comparison.ts'
import { Named, NullableNamed } from './run-list.ts'

const metric = {
  evaluation_object_ref: Type.String({
    description: 'Ref of an evaluation; with the version `*`, runs of all of its versions count',
  }),
  all_versions: Nullable(
    Type.Boolean({
      description: 'Runs of all versions of the evaluation count. SDKs ignore it, and show those of the version',
    }),
  ),
  scorer_name: Type.String(),
  summary_metric_path: Type.String({
    description: 'Path below the scorer in the summary of a run, such as `match.true_fraction` or `grade.mean`',
  }),
}

const RequestedColumn = OpenObject({ ...metric, should_minimize: Nullable(Type.Boolean()) })

export const LeaderboardRequest = OpenObject({
  project_id: ProjectId,
  name: Nullable(Type.String({ description: 'Name of a stored leaderboard' })),
  digest: Nullable(Type.String({ description: 'Its version: digest, `v<number>` or alias; default: the latest' })),
  columns: Nullable(
    Type.Array(RequestedColumn, {
      minItems: 1,
      maxItems: operationLimits.leaderboardColumnsMax,
      description: 'Columns of a leaderboard that is not stored',
    }),
  ),
})
export type LeaderboardRequest = Static<typeof LeaderboardRequest>

const LeaderboardColumn = Type.Object({
  ...metric,
  should_minimize: Type.Boolean(),
  evaluation: Named,
  score: Type.Union([Type.String(), Type.Null()], {
    description: 'The score of which it is the mean; null for another figure of the summary',
  }),
  kind: Type.Union([Type.Literal('rate'), Type.Literal('mean'), Type.Literal('summary'), Type.Null()], {
    description: '`summary`: a number of the stored summary, without an interval. Null if no run has it',
  }),
  run_count: Type.Integer({ description: 'Finished runs of the evaluation' }),
  differing_versions: Type.Array(DifferingVersions, {
    description: 'Datasets and scorers of which the runs of this column have different versions',
  }),
})
export type LeaderboardColumn = Static<typeof LeaderboardColumn>

const LeaderboardCell = Type.Object({
  value: Type.Number({ description: 'True counts as 1' }),
  low: NullableNumber,
  high: NullableNumber,
  interval: Type.Union([Type.Literal('wilson'), Type.Literal('bootstrap'), Type.Null()]),
  scored_rows: Type.Union([Type.Integer(), Type.Null()], { description: 'Null for a figure of the summary' }),
  unscored_rows: Type.Union([Type.Integer(), Type.Null()]),
  failed_rows: Type.Integer(),
  rank: Type.Integer({ description: 'In its column; equal values have equal ranks' }),
  evaluation_call_id: Type.String({ description: 'The run that the figure is of' }),
  started_at: Type.String(),
  evaluation: Named,
  dataset: NullableNamed,
  scorer: NullableNamed,
})
export type LeaderboardCell = Static<typeof LeaderboardCell>

const LeaderboardRow = Type.Object({
  model: Named,
  llm: NullableText,
  prompt: NullableNamed,
  cells: Type.Array(Type.Union([LeaderboardCell, Type.Null()]), {
    description: 'By column; null if no finished run of the model has the figure',
  }),
})
export type LeaderboardRow = Static<typeof LeaderboardRow>

export const Leaderboard = Type.Object({
  object: Type.Union(
    [
      Type.Object({
        object_id: Type.String(),
        digest: Type.String(),
        version_index: Type.Integer(),
        is_latest: Type.Boolean(),
        created_at: Type.String(),
      }),
      Type.Null(),
    ],
    { description: 'The stored leaderboard; null if the request named columns' },
  ),
  name: NullableText,
  description: NullableText,
  columns: Type.Array(LeaderboardColumn),
  rows: Type.Array(LeaderboardRow, { description: 'A row for each version of a model, by the first column' }),
  warnings: Type.Array(Type.String()),
  is_cut: Type.Boolean({ description: 'Whether older runs were left out, since there are too many' }),
})
export type Leaderboard = Static<typeof Leaderboard>
