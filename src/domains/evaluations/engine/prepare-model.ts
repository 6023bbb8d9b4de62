import { asksForJson, messagesIn, plainMessage, providerParams } from '../../../lib/completion-request.ts'
import { DomainError } from '../../../lib/errors.ts'
import { isDeeperThan, isJsonObject } from '../../../lib/json-value.ts'
import { requestLimits } from '../../../lib/limits/requests.ts'
import type { ProjectWriter } from '../../access/index.ts'
import { parsedOutput } from '../../scoring/index.ts'
import type { LanguageModels, Message } from './language-model.ts'
import type { SourceObject } from './object-source.ts'
import type { RunnableModel } from './runnable.ts'

/**
 * The built-in class of models that need no user code: a language model, a template and parameters.
 */
export const completionModelClass = 'LLMStructuredCompletionModel'

/**
 * Columns used as the user message if the model's template has none. The first one present counts.
 */
const userColumns = ['user_input', 'messages', 'input', 'question', 'prompt'] as const

/**
 * Makes a stored model runnable.
 *
 * @throws DomainError InvalidRequest if it needs user code, or its prompt does not exist
 */
export async function prepareModel(
  model: SourceObject,
  models: LanguageModels,
  writer: ProjectWriter,
): Promise<RunnableModel> {
  const { val } = model
  if (model.className !== completionModelClass || !isJsonObject(val) || typeof val['llm_model_id'] !== 'string') {
    throw new DomainError(
      'InvalidRequest',
      `The model "${model.name}" is not runnable on the server, which runs models of class ` +
        `${completionModelClass} only; run the evaluation with a client SDK instead`,
    )
  }
  const params = isJsonObject(val['default_params']) ? val['default_params'] : {}
  const { prompt } = params
  const template = [
    ...(typeof prompt === 'string' && prompt !== '' ? await models.promptMessages(writer, prompt) : []),
    ...messagesIn(params['messages_template']).map(plainMessage),
  ]
  const request = { model: val['llm_model_id'], params: providerParams(params) }
  return {
    ref: model.ref,
    name: model.name,
    predict: async (row, signal) => {
      const messages = messagesFor(models, template, row)
      if ('error' in messages) return messages
      const answer = await models.complete(writer, { ...request, messages }, signal)
      return 'error' in answer ? answer : { output: outputOf(answer.message, params), usage: answer.usage }
    },
  }
}

function messagesFor(
  models: LanguageModels,
  template: readonly Message[],
  row: Readonly<Record<string, unknown>>,
): readonly Message[] | { readonly error: string } {
  try {
    const messages = [...models.fill(template, row), ...userMessages(template, row)]
    if (messages.length > 0) return messages
    const columns = userColumns.join(', ')
    return { error: `No input for the model: it has no \`messages_template\`, and the row has none of ${columns}` }
  } catch (cause) {
    // A row that lacks a column fails alone.
    if (cause instanceof DomainError) return { error: cause.message }
    throw cause
  }
}

function userMessages(template: readonly Message[], row: Readonly<Record<string, unknown>>): Message[] {
  // A template that ends with a user message is complete, but `user_input` is meant to follow it
  // anyway.
  const column = userColumns.find((name) => Object.hasOwn(row, name) && (name === 'user_input' || !saysAll(template)))
  return column === undefined ? [] : messagesIn(row[column])
}

const saysAll = (template: readonly Message[]): boolean => template.at(-1)?.role === 'user'

/**
 * Text for a text response, parsed JSON if JSON was requested, and the message if it contains tool
 * calls.
 */
function outputOf(message: Readonly<Record<string, unknown>>, params: Readonly<Record<string, unknown>>): unknown {
  const { content, tool_calls } = message
  if (Array.isArray(tool_calls) && tool_calls.length > 0) return message
  const parsed = asksForJson(params) ? parsedOutput(content) : undefined
  return parsed !== undefined && !isDeeperThan(parsed, requestLimits.jsonDepthMax) ? parsed : (content ?? null)
}
