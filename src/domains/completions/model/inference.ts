import { type Static, Type } from '@sinclair/typebox'
import { Nullable, NullableNumber, NullableText, OpenObject } from '../../../formats/schemas/members.ts'
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

export const Runtimes = Type.Object({
  runtimes: Type.Array(Runtime, { description: 'By name, and their models by id' }),
})

const Text = Type.String()
const Texts = Type.Array(Text)
const literals = <T extends string>(...texts: T[]) =>
  Type.Unsafe<T>(Type.Union(texts.map((text) => Type.Literal(text))))

const Price = Type.String({ pattern: '^\\d+(\\.\\d+)?$', description: 'USD per token, as a decimal number' })
const Pricing = Type.Object({
  prompt: Price,
  completion: Price,
  image: Price,
  request: Price,
  input_cache_read: Price,
})

/** A model in the format used by model routers. */
export const RouterModel = Type.Object({
  id: Type.String({ description: 'Value for `inputs.model` of a completion' }),
  hugging_face_id: Type.String({ description: 'Empty unless the weights are open' }),
  name: Text,
  created: Type.Integer({ description: 'Release date in unix seconds; 0 if unknown' }),
  input_modalities: Texts,
  output_modalities: Texts,
  quantization: literals('int4', 'int8', 'fp4', 'fp6', 'fp8', 'fp16', 'bf16', 'fp32'),
  context_length: Type.Integer(),
  max_output_length: Type.Integer(),
  pricing: Pricing,
  supported_sampling_parameters: Type.Array(
    literals(
      'temperature',
      'top_p',
      'top_k',
      'repetition_penalty',
      'frequency_penalty',
      'presence_penalty',
      'stop',
      'seed',
    ),
  ),
  supported_features: Type.Array(literals('tools', 'json_mode', 'structured_outputs', 'web_search', 'reasoning')),
  datacenters: Type.Array(Type.Object({ country_code: Text }), { description: 'Empty if unknown' }),
  deprecation_date: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })),
})
export type RouterModel = Static<typeof RouterModel>

export const RouterModels = Type.Object({ data: Type.Array(RouterModel) })

const Cents = Type.Number()

/** A provider of a model, with its prices. */
export const HardwareOption = Type.Object({
  id: Text,
  name: Text,
  type: Text,
  pricing: Type.Object({ cents_per_million_input_tokens: Cents, cents_per_million_output_tokens: Cents }),
  specs: Type.Union([Type.Record(Text, Text), Type.Null()]),
})
export type HardwareOption = Static<typeof HardwareOption>

export const HardwareOptions = Type.Object({ hardware: Type.Array(HardwareOption) })

/**
 * An operator's entry for a model: as for routers with everything but the id optional, plus its
 * providers.
 */
export const OperatorModel = Type.Composite([
  Type.Object({ id: Type.String({ minLength: 1 }), hardware: Type.Optional(Type.Array(HardwareOption)) }),
  Type.Partial(Type.Omit(RouterModel, ['id'])),
])
export type OperatorModel = Static<typeof OperatorModel>

export const OperatorModels = Type.Object({ data: Type.Array(OperatorModel) })

/** A model with full details. */
export const CatalogEntry = Type.Object({
  provider: Text,
  id: Text,
  idPlayground: Text,
  idHuggingFace: NullableText,
  label: Text,
  labelOpenRouter: Text,
  status: literals('available', 'deprecated'),
  lifecycleStage: literals('GA', 'deprecated'),
  launchDate: NullableText,
  modalities: Type.Object({ input: Texts, output: Texts }),
  contextWindow: Type.Integer(),
  maxOutputTokens: Type.Integer(),
  quantization: NullableText,
  features: Texts,
  priceCentsPerBillionTokensInput: NullableNumber,
  priceCentsPerBillionTokensCached: NullableNumber,
  priceCentsPerBillionTokensOutput: NullableNumber,
})
export type CatalogEntry = Static<typeof CatalogEntry>

export const CatalogEntries = Type.Object({ models: Type.Array(CatalogEntry) })

/** Providers and their models in models.dev format. */
export const ModelsDev = Type.Record(
  Text,
  Type.Object({
    id: Text,
    name: Text,
    npm: Text,
    env: Texts,
    doc: Text,
    api: Type.Optional(Text),
    models: Type.Record(Text, Type.Object({}, { additionalProperties: true })),
  }),
)
export type ModelsDev = Static<typeof ModelsDev>
