import { type Static, Type } from '@sinclair/typebox'
import { limits } from '../limits.ts'
import { Nullable, OpenObject } from './nullable.ts'

/** Name of a runtime: the provider in `custom::<runtime>::<model>`. */
export const RuntimeName = Type.String({
  minLength: 1,
  maxLength: limits.idCharsMax,
  pattern: '^(?!.*::)\\S+$',
  description: '1 to 128 characters without white space and without `::`',
})

const Headers = Type.Record(Type.String(), Type.String())

/** All that a runtime is to be; what it was before goes. */
export const RuntimePut = OpenObject({
  base_url: Type.String({ minLength: 1, description: "base URL of an endpoint that speaks OpenAI's API" }),
  api_key_secret: Nullable(Type.String({ description: 'name of the secret with its key; none where it needs no key' })),
  headers: Nullable(Headers),
  runtime_ids: Type.Array(
    OpenObject({
      id: Type.String({ minLength: 1, description: 'name of the model at the endpoint' }),
      max_tokens: Nullable(Type.Integer({ exclusiveMinimum: 0, default: 4096 })),
    }),
    { maxItems: limits.runtimeModelsMax },
  ),
})
export type RuntimePut = Static<typeof RuntimePut>

export const Runtime = Type.Object({
  name: Type.String(),
  base_url: Type.String(),
  api_key_secret: Type.Union([Type.String(), Type.Null()]),
  headers: Headers,
  runtime_ids: Type.Array(
    Type.Object({
      id: Type.String(),
      max_tokens: Type.Integer(),
      playground_id: Type.String({ description: 'what `inputs.model` of a completion takes' }),
    }),
  ),
})
export type Runtime = Static<typeof Runtime>
