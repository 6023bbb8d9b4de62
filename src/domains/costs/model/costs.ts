import { type Static, Type } from '@sinclair/typebox'
import { Nullable, NullableNumber, NullableText, NullableTime, OpenObject } from '../../../formats/schemas/members.ts'
import { ProjectId } from '../../../lib/project-id.ts'
import { Time } from '../../../lib/time.ts'

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
