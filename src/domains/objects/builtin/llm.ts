import { Type } from '@sinclair/typebox'
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
