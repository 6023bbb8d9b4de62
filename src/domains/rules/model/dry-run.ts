import { type Static, Type } from '@sinclair/typebox'
import { Nullable, NullableNumber, NullableText, OpenObject } from '../../../formats/schemas/members.ts'
import { ruleLimits } from '../../../lib/limits/rules.ts'
import { ProjectId } from '../../../lib/project-id.ts'
import { TimeText } from '../../../lib/time.ts'

const Text = Type.String()
const Count = (description: string) => Type.Integer({ description })
const dollars = (description: string) => ({ description: `${description}, in US dollars` })

export const DryRunRequest = OpenObject({
  project_id: ProjectId,
  limit: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: ruleLimits.dryRunCallsMax,
      default: ruleLimits.dryRunCallsMax,
      description: 'Maximum number of calls',
    }),
  ),
})

/** A line of a dry run. */
export const DryRunLine = Type.Union([
  Type.Object({
    kind: Type.Literal('start'),
    calls: Count('Calls that follow: the newest that the rule would score'),
    calls_last_day: Count('Calls that it would have scored of those that started within the last 24 hours'),
  }),
  Type.Object({
    kind: Type.Literal('call'),
    call_id: Text,
    trace_id: Text,
    op_name: Text,
    started_at: TimeText,
    scores: Type.Array(
      Type.Object({
        scorer_ref: Type.String({ description: 'With the digest of the version' }),
        scorer: Text,
        value: Type.Unknown({ description: 'What would be stored as `output` in the payload of the feedback' }),
        error: NullableText,
        cost: Type.Number(dollars('What the models of the scorer cost')),
      }),
    ),
  }),
  Type.Object({
    kind: Type.Literal('end'),
    scored: Count('Calls that were scored'),
    failed: Count('Scores that failed'),
    cost: Type.Number(dollars('What the dry run has cost')),
    cost_per_day: { ...NullableNumber, ...dollars('Mean cost of a call times `calls_last_day`; null without calls') },
    stopped: Type.Union([Type.Literal('daily_cost_max'), Type.Null()], {
      description: 'Why calls were left out: the dry run has cost as much as the rule may spend a day',
    }),
  }),
])
export type DryRunLine = Static<typeof DryRunLine>
