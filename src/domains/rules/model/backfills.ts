import { type Static, Type } from '@sinclair/typebox'
import { Nullable, NullableNumber, NullableText, OpenObject } from '../../../formats/schemas/members.ts'
import { ProjectId } from '../../../lib/project-id.ts'
import { Time, TimeText } from '../../../lib/time.ts'

const Text = Type.String()

export const BackfillCreate = OpenObject({
  project_id: ProjectId,
  start: Time,
  end: Nullable(Time),
  cost_max: Nullable(
    Type.Number({
      exclusiveMinimum: 0,
      description: 'What it may spend on models, in US dollars: it is exceeded by one score at most',
    }),
  ),
})
export type BackfillCreate = Static<typeof BackfillCreate>

/** Scoring of stored calls by a rule. */
export const Backfill = Type.Object({
  id: Text,
  rule_id: Text,
  start: TimeText,
  end: TimeText,
  cost_max: NullableNumber,
  state: Type.Union([
    Type.Literal('waiting'),
    Type.Literal('running'),
    Type.Literal('completed'),
    Type.Literal('failed'),
    Type.Literal('cancelled'),
  ]),
  total: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Calls that the rule would score; null until they are counted',
  }),
  done: Type.Integer({ description: 'Those that it has come to' }),
  scored: Type.Integer({ description: 'Those that got a score: the others had been scored by the rule before' }),
  failed: Type.Integer({ description: 'Scores that failed' }),
  cost: Type.Number({ description: 'What the models of the scorers have cost, in US dollars' }),
  stopped: Type.Union([Type.Literal('cost_max'), Type.Null()], {
    description: 'Why it has ended before the last call',
  }),
  error: NullableText,
  created_at: TimeText,
  updated_at: TimeText,
})
export type Backfill = Static<typeof Backfill>

export const BackfillAnswer = Type.Object({ backfill: Backfill })
export const BackfillsAnswer = Type.Object({ backfills: Type.Array(Backfill) })
