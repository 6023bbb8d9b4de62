import { type Static, Type } from '@sinclair/typebox'
import { CallsFilter, QueryExpression } from '../../../formats/schemas/calls.ts'
import { Nullable, NullableNumber, NullableText, NullableTime, OpenObject } from '../../../formats/schemas/members.ts'
import { explorationLimits } from '../../../lib/limits/exploration.ts'
import { jobLimits } from '../../../lib/limits/jobs.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { ruleLimits } from '../../../lib/limits/rules.ts'
import { ProjectId } from '../../../lib/project-id.ts'
import { TimeText } from '../../../lib/time.ts'

const Text = Type.String()
const Name = Type.String({ minLength: 1, maxLength: ruleLimits.ruleNameCharsMax })
const Url = Type.String({ maxLength: ruleLimits.ruleUrlCharsMax, description: 'http or https' })
const HeaderNames = Type.Array(Text, { description: 'Names of the headers that are sent; their values are secret' })
const Headers = Nullable(
  Type.Record(Type.String(), Type.String({ maxLength: ruleLimits.ruleHeaderCharsMax }), {
    maxProperties: ruleLimits.ruleHeadersMax,
    description:
      'Headers to send, for example `Authorization`. They are stored encrypted and never returned. If omitted, those ' +
      'that the rule already has are kept, unless the host of `url` changes',
  }),
)

export const RuleMetric = Type.Union(
  [
    Type.Literal('call_count'),
    Type.Literal('error_count'),
    Type.Literal('error_rate'),
    Type.Literal('latency_avg_ms'),
    Type.Literal('latency_p95_ms'),
    Type.Literal('total_cost'),
    Type.Literal('score_avg'),
  ],
  {
    description:
      'What is measured over the calls that ended within the window: their number, the failed ones, the share of the ' +
      'failed ones from 0 to 1, latency, cost in US dollars, or the mean of the scores given within the window ' +
      '(true counts as 1, false as 0)',
  },
)
export type RuleMetric = Static<typeof RuleMetric>

/** When the webhook of a rule is called. */
export const RuleCondition = OpenObject({
  metric: RuleMetric,
  comparison: Type.Union([Type.Literal('above'), Type.Literal('below')]),
  threshold: Type.Number(),
  window_seconds: Type.Integer({ minimum: ruleLimits.ruleWindowSecondsMin, maximum: ruleLimits.ruleWindowSecondsMax }),
  calls_min: Nullable(
    Type.Integer({
      minimum: 0,
      description: 'Fires only if there are at least this many calls (or scores) in the window',
    }),
  ),
  scorer: Nullable(
    Type.String({ maxLength: operationLimits.idCharsMax, description: 'Name of the scorer; required by `score_avg`' }),
  ),
  score_path: Nullable(
    Type.String({
      maxLength: explorationLimits.fieldPathCharsMax,
      description: 'Path of the score in the payload of the feedback; `output` if omitted',
    }),
  ),
})
export type RuleCondition = Static<typeof RuleCondition>

const Score = OpenObject({
  kind: Type.Literal('score'),
  scorer_refs: Type.Array(Type.String({ maxLength: operationLimits.refCharsMax }), {
    minItems: 1,
    maxItems: jobLimits.scorersPerRequestMax,
    description: 'Refs of scorers. One that ends in `:latest` is that of the latest version, whenever a call is scored',
  }),
})
const AddToQueue = OpenObject({
  kind: Type.Literal('add_to_queue'),
  queue_id: Type.String({ maxLength: operationLimits.idCharsMax }),
  display_fields: Nullable(
    Type.Array(Type.String({ maxLength: explorationLimits.fieldPathCharsMax }), {
      maxItems: operationLimits.columnsMax,
      description: 'Paths of the members shown to annotators',
    }),
  ),
})
const Webhook = OpenObject({ kind: Type.Literal('webhook'), url: Url, headers: Headers })
const Forward = OpenObject({
  kind: Type.Literal('forward'),
  url: Type.String({
    maxLength: ruleLimits.ruleUrlCharsMax,
    description: 'http or https; `/v1/traces` is appended if there is no path',
  }),
  headers: Headers,
})

/** The action of a rule, as sent. */
export const RuleActionSent = Type.Union([Score, AddToQueue, Webhook, Forward])
export type RuleActionSent = Static<typeof RuleActionSent>

/** The action of a rule, as shown. */
export const RuleAction = Type.Union([
  Type.Object({ kind: Type.Literal('score'), scorer_refs: Type.Array(Text) }),
  Type.Object({ kind: Type.Literal('add_to_queue'), queue_id: Text, display_fields: Type.Array(Text) }),
  Type.Object({ kind: Type.Literal('webhook'), url: Text, header_names: HeaderNames }),
  Type.Object({ kind: Type.Literal('forward'), url: Text, header_names: HeaderNames }),
])
export type RuleAction = Static<typeof RuleAction>

const SampleRate = Type.Number({
  minimum: 0,
  maximum: 1,
  description: 'Share of the traces whose matching calls are handled; all calls of a trace are, or none',
})
const DailyCostMax = Nullable(
  Type.Number({
    minimum: 0,
    description:
      'What a rule that scores may spend on models a day (UTC), in US dollars: it is exceeded by one score at most. ' +
      'Calls that arrive when it is spent are passed over. 0 removes it. Models without a price cost nothing',
  }),
)
const SigningSecret = Nullable(
  Type.String({
    pattern: '^whsec_[A-Za-z0-9+/]{32,88}={0,2}$',
    description: 'Key that webhooks are signed with: `whsec_` and 24 to 64 bytes as base64; generated if omitted',
  }),
)
const conditions = {
  filter: Nullable(CallsFilter),
  query: Type.Optional(QueryExpression),
  sample_rate: Nullable(SampleRate),
  daily_cost_max: DailyCostMax,
  condition: Nullable(RuleCondition),
  is_paused: Nullable(Type.Boolean()),
  signing_secret: SigningSecret,
}

export const RuleCreate = OpenObject({
  project_id: ProjectId,
  name: Name,
  ...conditions,
  action: RuleActionSent,
})
export type RuleCreate = Static<typeof RuleCreate>

export const RuleUpdate = OpenObject({
  project_id: ProjectId,
  name: Nullable(Name),
  ...conditions,
  action: Nullable(RuleActionSent),
})
export type RuleUpdate = Static<typeof RuleUpdate>

/** How a rule is doing. */
export const RuleStatus = Type.Object({
  state: Type.Union([Type.Literal('active'), Type.Literal('paused'), Type.Literal('failing'), Type.Literal('capped')], {
    description:
      '`failing`: the last attempt failed and is repeated. `capped`: `daily_cost_max` is spent, and the rule goes on ' +
      'at `capped_until`',
  }),
  capped_until: NullableTime,
  cost_today: Type.Number({ description: 'What scores of new calls have cost since 00:00 UTC, in US dollars' }),
  passed: Type.Integer({ description: 'Number of calls that were passed over because `daily_cost_max` was spent' }),
  alert: Type.Union([Type.Literal('ok'), Type.Literal('firing'), Type.Null()], {
    description: 'Null for rules without a condition',
  }),
  alert_since: NullableTime,
  value: Type.Union([Type.Number(), Type.Null()], { description: 'What the last evaluation measured' }),
  evaluated_at: NullableTime,
  position: Type.Union([TimeText, Type.Null()], {
    description: 'Calls written up to this time have been handled; null for rules with a condition',
  }),
  handled: Type.Integer({ description: 'Number of calls handled; after a crash, some may count twice' }),
  rejected: Type.Integer({ description: 'Number of spans that the receiver of a forwarding rule refused' }),
  handled_at: NullableTime,
  error: NullableText,
  error_at: NullableTime,
  retry_at: NullableTime,
})
export type RuleStatus = Static<typeof RuleStatus>

/** A rule: an action on calls as they arrive. */
export const Rule = Type.Object({
  id: Text,
  project_id: Text,
  name: Text,
  filter: Type.Union([CallsFilter, Type.Null()]),
  query: Type.Unknown({ description: 'As sent; null if there is none' }),
  sample_rate: Type.Number(),
  daily_cost_max: NullableNumber,
  condition: Type.Union([
    Type.Object({
      metric: RuleMetric,
      comparison: RuleCondition.properties.comparison,
      threshold: Type.Number(),
      window_seconds: Type.Integer(),
      calls_min: Type.Integer(),
      scorer: NullableText,
      score_path: NullableText,
    }),
    Type.Null(),
  ]),
  action: RuleAction,
  is_paused: Type.Boolean(),
  created_at: TimeText,
  created_by: Text,
  updated_at: TimeText,
  status: RuleStatus,
})
export type Rule = Static<typeof Rule>

export const RuleAnswer = Type.Object({ rule: Rule })
export const CreatedRule = Type.Object({
  rule: Rule,
  signing_secret: Type.Union([Text, Type.Null()], {
    description: 'Key that the webhooks of the rule are signed with; shown only here. Null for other actions',
  }),
})
export const RulesAnswer = Type.Object({ rules: Type.Array(Rule) })

/** One webhook request. */
export const Delivery = Type.Object({
  id: Type.String({ description: 'Sent as `webhook-id`, the same in all attempts' }),
  rule_id: Text,
  type: Type.Union([Type.Literal('rule.firing'), Type.Literal('rule.resolved'), Type.Literal('rule.test')]),
  state: Type.Union([Type.Literal('pending'), Type.Literal('delivered'), Type.Literal('failed')]),
  attempts: Type.Array(
    Type.Object({
      at: TimeText,
      status: NullableNumber,
      error: NullableText,
      answer: Type.Union([Text, Type.Null()], { description: 'The beginning of the response: 1 KiB at most' }),
    }),
    { description: 'Status of the response, or why there was none' },
  ),
  body: Type.Unsafe<Record<string, unknown>>(
    Type.Object({}, { additionalProperties: true, description: 'Request body' }),
  ),
  created_at: TimeText,
  next_attempt_at: NullableTime,
})
export type Delivery = Static<typeof Delivery>
export const DeliveriesRequest = OpenObject({
  project_id: ProjectId,
  limit: Nullable(
    Type.Integer({ minimum: 1, maximum: ruleLimits.deliveriesKept, default: ruleLimits.deliveriesListedDefault }),
  ),
})
export const DeliveriesAnswer = Type.Object({ deliveries: Type.Array(Delivery) })
