import { type Static, Type } from '@sinclair/typebox'
import { Nullable, NullableNumber, NullableText, OpenObject } from '../../../formats/schemas/members.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { ProjectId } from '../../../lib/project-id.ts'

const source = Type.Union([Type.Literal('score'), Type.Literal('feedback'), Type.Literal('column')], {
  description:
    '`score`: a score of the run. `feedback`: feedback on the prediction or trial, of people or judges. `column`: of ' +
    'the dataset',
})
const name = Type.String({
  description: 'Score as `<scorer>.<path>`; feedback type such as `ext.annotation.<name>`; path of a column',
})
const path = Nullable(
  Type.String({
    description:
      'For feedback: where its payload has the label. Default: `value` of annotations and custom types, `output` of ' +
      '`ext.runnable.…`, `detoned_alias` of reactions',
  }),
)
const bins = Nullable(
  Type.Array(Type.Number(), {
    minItems: 1,
    maxItems: operationLimits.labelClassesMax - 1,
    description: 'Lower ends of ranges of numbers, ascending. One alone: numbers from it on count as true, others not',
  }),
)
const true_values = Nullable(
  Type.Array(Type.String(), {
    minItems: 1,
    maxItems: 50,
    description: 'Labels that count as true, and all others not',
  }),
)

export const LabelSource = OpenObject({ source, name, path, bins, true_values })
export type LabelSource = Static<typeof LabelSource>

/** Only pairs of these classes, whether they agree or not. */
const Cell = OpenObject({
  judge: Type.String({ description: 'Class of the judge: list only pairs with it' }),
  human: Type.String({ description: 'Class of the person in the same pairs' }),
})

export const JudgeCheckRequest = OpenObject({
  project_id: ProjectId,
  evaluation_call_ids: Type.Array(Type.String(), { minItems: 1, maxItems: operationLimits.comparedRunsMax }),
  judge: Nullable(LabelSource),
  human: Nullable(LabelSource),
  show: Nullable(
    Type.Union(
      [
        Type.Literal('disagreements'),
        Type.Literal('pairs'),
        Type.Literal('only_judge'),
        Type.Literal('only_human'),
        Type.Literal('unlabelled'),
      ],
      { default: 'disagreements', description: 'Which trials to list' },
    ),
  ),
  cell: Nullable(Cell),
  limit: Nullable(Type.Integer({ minimum: 0, maximum: operationLimits.judgedTrialsPageMax, default: 100 })),
  after: Nullable(Type.String({ description: '`next` of the page before' })),
})
export type JudgeCheckRequest = Static<typeof JudgeCheckRequest>

const Choice = Type.Object({
  source,
  name: Type.String(),
  path: NullableText,
  kind: Type.Union([Type.Literal('truth'), Type.Literal('number'), Type.Literal('text')]),
  count: Type.Union([Type.Integer(), Type.Null()], { description: 'Labels of the runs; null for a column' }),
})
export type LabelChoice = Static<typeof Choice>

const UsedSource = Type.Object({
  source,
  name: Type.String(),
  path: NullableText,
  bins: Type.Union([Type.Array(Type.Number()), Type.Null()]),
  true_values: Type.Union([Type.Array(Type.String()), Type.Null()]),
  is_assumed: Type.Boolean({
    description: 'Whether the request did not say how to read labels and those of the other side are of another kind',
  }),
  values: Type.Array(Type.Object({ value: Type.String(), count: Type.Integer() }), {
    description: 'The most frequent labels as they are',
  }),
})
export type UsedSource = Static<typeof UsedSource>

const Estimate = Type.Object({
  value: Type.Number(),
  low: NullableNumber,
  high: NullableNumber,
})

const Check = Type.Object({
  judge: UsedSource,
  human: UsedSource,
  trial_count: Type.Integer(),
  row_count: Type.Integer({ description: 'Rows of the pairs: fewer than pairs if rows have several trials' }),
  pair_count: Type.Integer({ description: 'Trials that both have labelled' }),
  disagreement_count: Type.Integer(),
  only_judge_count: Type.Integer({ description: 'Trials that no person has labelled' }),
  only_human_count: Type.Integer({ description: 'Trials that the judge has not labelled' }),
  unlabelled_count: Type.Integer(),
  relabelled_count: Type.Integer({ description: 'Pairs with several labels on one side: the newest counts' }),
  classes: Type.Array(Type.String()),
  matrix: Type.Array(Type.Array(Type.Integer()), { description: 'Pairs by class of the person, then of the judge' }),
  agreement: Type.Union([Estimate, Type.Null()], {
    description: "Share of pairs that agree, with Wilson's interval of 95 %; null below 10 pairs",
  }),
  kappa: Type.Union([Estimate, Type.Null()], {
    description: "Cohen's kappa with its interval of 95 %; null below 10 pairs, or if chance alone explains everything",
  }),
  problem: Type.Union([Type.String(), Type.Null()], { description: 'Why there are no figures' }),
})
export type JudgeCheckFigures = Static<typeof Check>

const JudgedTrial = Type.Object({
  evaluation_call_id: Type.String(),
  trace_id: Type.String(),
  row_digest: Type.String(),
  predict_and_score_call_id: Type.String(),
  predict_call_id: NullableText,
  judge_call_id: NullableText,
  input: Type.String({ description: 'The first text of the row' }),
  output: Type.String({ description: 'The beginning of the output' }),
  judge_label: NullableText,
  human_label: NullableText,
  judge_class: NullableText,
  human_class: NullableText,
  reasons: Type.Array(Type.Object({ name: Type.String(), text: Type.String() }), {
    description: 'What the judge says besides: the texts of its score',
  }),
})
export type JudgedTrial = Static<typeof JudgedTrial>

export const JudgeCheck = Type.Object({
  choices: Type.Array(Choice, { description: 'What the runs have that may be labels' }),
  check: Type.Union([Check, Type.Null()], { description: 'Null unless the request names both sides' }),
  trials: Type.Object({
    total: Type.Integer(),
    items: Type.Array(JudgedTrial),
    next: Type.Union([Type.String(), Type.Null()], { description: '`after` of the next page; null on the last one' }),
  }),
})
export type JudgeCheck = Static<typeof JudgeCheck>
