import { type Static, Type } from '@sinclair/typebox'
import { Nullable, NullableText, OpenObject } from '../../../formats/schemas/nullable.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { providerLimits } from '../../../lib/limits/providers.ts'

/** Name of a runtime: the provider in `custom::<runtime>::<model>`. */
export const RuntimeName = Type.String({
  minLength: 1,
  maxLength: operationLimits.idCharsMax,
  pattern: '^(?!.*::)\\S+$',
  description: '1 to 128 characters without whitespace or `::`',
})

const Headers = Type.Record(Type.String(), Type.String())

/** The complete configuration of a runtime; replaces any earlier one. */
export const RuntimePut = OpenObject({
  base_url: Type.String({ minLength: 1, description: 'Base URL of an OpenAI-compatible endpoint' }),
  api_key_secret: Nullable(
    Type.String({ description: 'Name of the secret that holds the API key; omit if the endpoint needs no key' }),
  ),
  headers: Nullable(Headers),
  runtime_ids: Type.Array(
    OpenObject({
      id: Type.String({ minLength: 1, description: 'Model name at the endpoint' }),
      max_tokens: Nullable(Type.Integer({ exclusiveMinimum: 0, default: 4096 })),
    }),
    { maxItems: providerLimits.runtimeModelsMax },
  ),
})
export type RuntimePut = Static<typeof RuntimePut>

export const Runtime = Type.Object({
  name: Type.String(),
  base_url: Type.String(),
  api_key_secret: NullableText,
  headers: Headers,
  runtime_ids: Type.Array(
    Type.Object({
      id: Type.String(),
      max_tokens: Type.Integer(),
      playground_id: Type.String({ description: 'Value for `inputs.model` of a completion' }),
    }),
  ),
})
export type Runtime = Static<typeof Runtime>
