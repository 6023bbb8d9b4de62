import { type Static, Type } from '@sinclair/typebox'
import { Nullable, NullableNumber, NullableText, NullableTime, OpenObject } from '../../../formats/schemas/members.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { ProjectId } from '../../../lib/project-id.ts'
import { ChosenRows } from './row-choice.ts'

export const RunState = Type.Union(
  [
    Type.Literal('running'),
    Type.Literal('paused'),
    Type.Literal('done'),
    Type.Literal('interrupted'),
    Type.Literal('failed'),
    Type.Literal('at_limit'),
    Type.Literal('cancelled'),
  ],
  {
    description:
      '`interrupted`: it has not ended, and the server is not running it; or it runs elsewhere, and its calls say ' +
      'nothing since ten minutes. `at_limit`: it stopped at its spending limit. ' +
      '`failed`: it ended with an error of its own; rows that fail do not fail a run.',
  },
)
export type RunState = Static<typeof RunState>

const RunSort = OpenObject({
  field: Type.String({
    description: '`started_at`, `cost`, `latency_p50_seconds`, `rows_scored` or `scores.<score>`',
  }),
  direction: Type.Union([Type.Literal('asc'), Type.Literal('desc')]),
})

export const RunListRequest = OpenObject({
  project_id: ProjectId,
  evaluation: Nullable(Type.String({ description: 'Name of an evaluation: only its runs' })),
  evaluation_call_ids: Nullable(Type.Array(Type.String(), { description: 'Only these runs' })),
  states: Nullable(Type.Array(RunState)),
  search: Nullable(
    Type.String({ description: 'Text in the name of the model, its prompt, its dataset, or in the error' }),
  ),
  sort_by: Nullable(RunSort),
  limit: Nullable(Type.Integer({ minimum: 1, maximum: operationLimits.listedRunsMax, default: 200 })),
  after: Nullable(Type.String({ description: '`next` of the page before' })),
})
export type RunListRequest = Static<typeof RunListRequest>

export const Named = Type.Object({
  ref: Type.String(),
  name: Type.String(),
  version: Type.Union([Type.Integer(), Type.Null()], { description: 'Number of the version, if it is stored' }),
})
export type Named = Static<typeof Named>
export const NullableNamed = Type.Union([Named, Type.Null()])

const ListedScore = Type.Object({
  score: Type.String({ description: 'Name of the scorer, or `<scorer>.<path>`' }),
  kind: Type.Union([Type.Literal('rate'), Type.Literal('mean')]),
  value: Type.Number({ description: 'Mean over the scored rows; true counts as 1' }),
  low: NullableNumber,
  high: NullableNumber,
  interval: Type.Union([Type.Literal('wilson'), Type.Literal('bootstrap'), Type.Null()]),
  scored_rows: Type.Integer(),
  unscored_rows: Type.Integer({ description: 'Rows that ended without this score, but did not fail' }),
})
export type ListedScore = Static<typeof ListedScore>

export const ListedRun = Type.Object({
  evaluation_call_id: Type.String(),
  display_name: NullableText,
  state: RunState,
  is_pausing: Type.Boolean({
    description: 'Whether it begins no further rows, and is paused once those in progress end',
  }),
  error: Type.Union([Type.String(), Type.Null()], { description: 'Why it failed' }),
  is_on_server: Type.Boolean({ description: 'Whether the server runs it, and not a program' }),
  is_resumable: Type.Boolean({ description: 'Whether `/evaluations/resume` can continue it or retry its failed rows' }),
  evaluation: Named,
  model: Named,
  llm: Type.Union([Type.String(), Type.Null()], { description: 'The language model of the model object' }),
  prompt: NullableNamed,
  dataset: NullableNamed,
  scorers: Type.Array(Named),
  trials: Type.Integer({ description: 'Trials per row' }),
  rows_chosen: Type.Union([ChosenRows, Type.Null()], { description: 'Null if it runs all rows of the dataset' }),
  rows_total: Type.Union([Type.Integer(), Type.Null()], { description: 'Rows that it runs, if the dataset is stored' }),
  rows_begun: Type.Integer(),
  rows_ended: Type.Integer(),
  rows_failed: Type.Integer({ description: 'Rows of which every trial failed' }),
  rows_scored: Type.Integer({ description: 'Rows that ended and did not fail' }),
  scores: Type.Array(ListedScore, { description: 'In the order of their names' }),
  cost: Type.Union([Type.Number(), Type.Null()], {
    description: 'Of models and judges together; null without a price',
  }),
  cost_limit: NullableNumber,
  latency_p50_seconds: NullableNumber,
  started_at: Type.String(),
  active_at: Type.String({ description: 'The latest time that its calls state' }),
  ended_at: NullableTime,
})
export type ListedRun = Static<typeof ListedRun>

export const RunList = Type.Object({
  runs: Type.Array(ListedRun),
  total: Type.Integer({ description: 'Runs that match, on all pages' }),
  next: Type.Union([Type.String(), Type.Null()], { description: '`after` of the next page; null on the last one' }),
  evaluations: Type.Array(Type.Object({ name: Type.String(), runs: Type.Integer() }), {
    description: 'All evaluations with the number of their runs, by name',
  }),
  is_cut: Type.Boolean({ description: 'Whether older runs were left out, since there are too many' }),
})
export type RunList = Static<typeof RunList>
