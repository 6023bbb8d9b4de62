import { type Static, Type } from '@sinclair/typebox'
import { Nullable, NullableNumber, NullableText, OpenObject } from '../../../formats/schemas/members.ts'
import { ProjectId } from '../../../lib/project-id.ts'
import { Time, TimeText } from '../../../lib/time.ts'

const Calls = Type.Integer({ description: 'Number of calls' })

export const DistributionsRequest = OpenObject({
  project_id: ProjectId,
  start: Time,
  end: Nullable(Time),
  granularity: Nullable(Type.Integer({ description: 'Bucket size in seconds; derived from the range if omitted' })),
  timezone: Nullable(Type.String({ default: 'UTC', description: 'IANA time zone that buckets are aligned to' })),
})
export type DistributionsRequest = Static<typeof DistributionsRequest>

/** How the values of one member of the payloads of feedback are distributed. */
export const Distribution = Type.Object({
  json_path: Type.String({ description: 'Dotted path in the payload' }),
  value_type: Type.Union([Type.Literal('numeric'), Type.Literal('boolean'), Type.Literal('categorical')]),
  calls: Calls,
  mean: { ...NullableNumber, description: 'Mean of the numbers, or share of the true ones; null for texts' },
  values: Type.Array(
    Type.Object({
      value: Type.Union([Type.String(), Type.Number(), Type.Boolean()]),
      calls: Calls,
    }),
    { description: 'The most frequent values, ordered by value if they are numbers; empty if there are ranges' },
  ),
  ranges: Type.Array(
    Type.Object({
      from: Type.Number(),
      to: Type.Number({ description: 'Exclusive, except that of the last range' }),
      calls: Calls,
    }),
    { description: 'Ranges of numbers, if there are too many different ones' },
  ),
  other_values: Type.Integer({ description: 'Different values that are not listed' }),
  trend: Type.Array(Type.Object({ timestamp: TimeText, calls: Calls, mean: NullableNumber }), {
    description: 'By the start of the calls; buckets without values are omitted',
  }),
})
export type Distribution = Static<typeof Distribution>

/** The feedback of one type, and of one version of the scorer that gave it. */
export const FeedbackGroup = Type.Object({
  feedback_type: Type.String(),
  version: {
    ...NullableText,
    description: 'Digest of the version of the scorer; null for feedback of people and others',
  },
  runnable_ref: NullableText,
  calls: Calls,
  entries: Type.Integer({ description: 'Number of feedback entries' }),
  distributions: Type.Array(Distribution),
})
export type FeedbackGroup = Static<typeof FeedbackGroup>

export const FeedbackDistributions = Type.Object({
  start: TimeText,
  end: TimeText,
  granularity: Type.Integer(),
  timezone: Type.String(),
  groups: Type.Array(FeedbackGroup, { description: 'Those with most calls first' }),
  is_cut: Type.Boolean({ description: 'Whether groups, or members of payloads, were left out' }),
})
export type FeedbackDistributions = Static<typeof FeedbackDistributions>
