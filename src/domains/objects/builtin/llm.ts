import { Type } from '@sinclair/typebox'
import { isJsonObject } from '../../../lib/json-value.ts'
import { isPublicUrl } from '../../../runtime/outbound/guard-address.ts'
import {
  type BuiltinClass,
  Default,
  FreeJsonObject,
  model,
  OrNull,
  objectModel,
  oneOf,
  Texts,
} from './builtin-class.ts'

/** Headers that unlock cloud metadata services; providers do not need them. */
const metadataHeaders: ReadonlySet<string> = new Set([
  'metadata',
  'metadata-flavor',
  'x-aws-ec2-metadata-token',
  'x-aws-ec2-metadata-token-ttl-seconds',
  'x-google-metadata-request',
  'x-metadata-token',
])

/** An OpenAI-compatible endpoint. */
export const provider: BuiltinClass = {
  name: 'Provider',
  schema: objectModel('Provider', {
    base_url: Type.String(),
    api_key_name: Type.String(),
    extra_headers: Default(Type.Record(Type.String(), Type.String()), {}),
    return_type: Default(Type.Literal('openai'), 'openai'),
  }),
  faultIn: ({ base_url, extra_headers }, { privateHosts }) => {
    if (typeof base_url !== 'string' || !isPublicUrl(base_url, privateHosts))
      return '`base_url` must be a public http or https URL without query and fragment'
    const headers = isJsonObject(extra_headers) ? Object.keys(extra_headers) : []
    const header = headers.find((name) => metadataHeaders.has(name.trim().toLowerCase()))
    return header === undefined ? undefined : `\`extra_headers\` must not contain "${header}"`
  },
}

/** A model offered by a provider. */
export const providerModel: BuiltinClass = {
  name: 'ProviderModel',
  schema: objectModel('ProviderModel', { provider: Type.String(), max_tokens: Type.Integer() }),
}

const message = model('Message', {
  role: Type.String(),
  content: OrNull(Type.Union([Type.String(), Type.Array(FreeJsonObject)])),
  name: OrNull(Type.String()),
  function_call: OrNull(FreeJsonObject),
  tool_call_id: OrNull(Type.String()),
})

const defaultParams = model('LLMStructuredCompletionModelDefaultParams', {
  messages_template: OrNull(Type.Array(message)),
  prompt: OrNull(Type.String()),
  temperature: OrNull(Type.Number()),
  top_p: OrNull(Type.Number()),
  max_tokens: OrNull(Type.Integer()),
  presence_penalty: OrNull(Type.Number()),
  frequency_penalty: OrNull(Type.Number()),
  stop: OrNull(Texts),
  n_times: OrNull(Type.Integer()),
  functions: OrNull(Type.Array(FreeJsonObject)),
  response_format: OrNull(oneOf('json_object', 'json_schema', 'text')),
})

const modelFields = { llm_model_id: Type.String(), default_params: Default(defaultParams, {}) }
const modelBases = ['Model', 'Object', 'BaseModel']
const completionModel = objectModel('LLMStructuredCompletionModel', modelFields, modelBases)

/**
 * A language model with its parameters. The vendor's clients write the member `ref`, which is
 * always null, and compute the digest with it.
 */
export const llmStructuredCompletionModel: BuiltinClass = {
  name: 'LLMStructuredCompletionModel',
  schema: objectModel('LLMStructuredCompletionModel', { ref: OrNull(Type.Null()), ...modelFields }, modelBases),
}

/** A language model that judges the output of another; the model is given inline or by ref. */
export const llmAsAJudgeScorer: BuiltinClass = {
  name: 'LLMAsAJudgeScorer',
  schema: objectModel(
    'LLMAsAJudgeScorer',
    { model: Type.Union([Type.String(), completionModel]), scoring_prompt: Type.String() },
    ['Scorer', 'Object', 'BaseModel'],
  ),
}
