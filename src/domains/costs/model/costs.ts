import { type Static, Type } from '@sinclair/typebox'
import { Nullable, NullableNumber, NullableText, NullableTime, OpenObject } from '../../../formats/schemas/members.ts'
import { providerLimits } from '../../../lib/limits/providers.ts'
import { ProjectId } from '../../../lib/project-id.ts'
import { Time, TimeText } from '../../../lib/time.ts'

const Price = (description: string) => Type.Number({ minimum: 0, description })

/** A project's price for one model, per token. */
export const CostCreateInput = OpenObject({
  prompt_token_cost: Price('Price of an input token that is neither read from nor written to a cache'),
  completion_token_cost: Price('Price of an output token'),
  cache_read_input_token_cost: Type.Optional(Price('Price of an input token read from a cache; 0 if omitted')),
  cache_creation_input_token_cost: Type.Optional(Price('Price of an input token written to a cache; 0 if omitted')),
  prompt_token_cost_unit: Nullable(Type.String({ default: 'USD' })),
  completion_token_cost_unit: Nullable(Type.String({ default: 'USD' })),
  effective_date: Nullable(Time),
  provider_id: Nullable(Type.String({ default: 'default' })),
})
export type CostCreateInput = Static<typeof CostCreateInput>

export const CostCreate = OpenObject({
  project_id: ProjectId,
  costs: Type.Record(Type.String(), CostCreateInput, { description: 'Prices by model name' }),
  ext_user_id: Nullable(Type.String({ description: 'Set by the server' })),
})
export type CostCreate = Static<typeof CostCreate>

/** A stored price; fields that were not requested are null. */
export const CostQueryOutput = Type.Object({
  id: NullableText,
  llm_id: NullableText,
  prompt_token_cost: NullableNumber,
  completion_token_cost: NullableNumber,
  cache_read_input_token_cost: NullableNumber,
  cache_creation_input_token_cost: NullableNumber,
  prompt_token_cost_unit: NullableText,
  completion_token_cost_unit: NullableText,
  effective_date: NullableTime,
  provider_id: NullableText,
  pricing_level: Type.Optional(NullableText),
  pricing_level_id: Type.Optional(NullableText),
  created_by: Type.Optional(NullableText),
  created_at: Type.Optional(NullableTime),
})
export type CostQueryOutput = Static<typeof CostQueryOutput>

export const BuiltinPricesRequest = OpenObject({
  project_id: ProjectId,
  search: Nullable(
    Type.String({
      maxLength: 1_000,
      description: 'Words that the name of the model or its provider must contain, in any case',
    }),
  ),
  limit: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: providerLimits.shippedPricesListedMax,
      default: providerLimits.shippedPricesListedDefault,
    }),
  ),
  offset: Nullable(Type.Integer({ minimum: 0, default: 0 })),
})

const tokenCosts = {
  prompt_token_cost: Type.Number({ description: 'USD per token, as the others' }),
  completion_token_cost: Type.Number(),
  cache_read_input_token_cost: Type.Number(),
  cache_creation_input_token_cost: Type.Number(),
}

/** A price of the list that ships with the server. */
export const BuiltinPrice = Type.Object({
  effective_date: Type.Union([TimeText, Type.Null()], { description: 'null: from the start' }),
  time_of_day: Type.Union([Type.Object({ start: Type.String(), end: Type.String() }), Type.Null()], {
    description: 'Times of each day in UTC between which it applies; null: at all times',
  }),
  ...tokenCosts,
  tiers: Type.Array(Type.Object({ above: Type.Integer(), ...tokenCosts }), {
    description: 'Prices of requests with more than `above` input tokens',
  }),
})

export const BuiltinModel = Type.Object({
  llm_id: Type.String({ description: '`provider/model`' }),
  provider_id: Type.String(),
  provider_name: Type.String(),
  prices: Type.Array(BuiltinPrice, { description: 'The latest first' }),
})

export type BuiltinModel = Static<typeof BuiltinModel>

export const BuiltinPrices = Type.Object({
  models: Type.Array(BuiltinModel, { description: 'By provider and name' }),
  total: Type.Integer({ description: 'Number of models that match' }),
})
export type BuiltinPrices = Static<typeof BuiltinPrices>
