import { membersOf, numberOf, objectsIn, stated, textOf } from './members.ts'

/** Properties of a call that follow from the type of its event. */
export interface CallContent {
  readonly display_name: string
  readonly attributes: Members
  readonly inputs: Members
  readonly output: unknown
  readonly exception: string | null
  readonly usage?: Members
}

type Members = Readonly<Record<string, unknown>>

/** A model event as a call of the model, with messages in the form of chat completions. */
export function modelCall(event: Members): CallContent {
  const { provider, model } = modelNames(String(event['model'] ?? 'unknown'))
  const { tools, tool_choice, config, role, retries, cache } = event
  const output = membersOf(event['output'])
  const hasTools = Array.isArray(tools) && tools.length > 0
  // The tokens of an answer from the cache were spent by an earlier call.
  const usage = cache === 'read' ? {} : usageOf(membersOf(output['usage']))
  return {
    display_name: model,
    attributes: { kind: 'llm', model, ...stated({ provider, role, retries, cache }) },
    inputs: {
      model,
      messages: objectsIn(event['input']).map(chatMessage),
      ...(hasTools && { tools, tool_choice }),
      ...stated({ config }),
    },
    output: outputOf(output),
    exception: textOf(event['error']) ?? textOf(output['error']) ?? null,
    ...(Object.keys(usage).length > 0 && { usage: { [model]: usage } }),
  }
}

/**
 * A sample without model events as one call, so that its conversation and its tokens are kept;
 * undefined if no model has answered.
 */
export function wholeSampleCall(sample: Members, fullModel: string): CallContent | undefined {
  const { provider, model } = modelNames(fullModel)
  const output = membersOf(sample['output'])
  const messages = objectsIn(sample['messages'])
  const hasOutput = objectsIn(output['choices']).length > 0
  const isAnswered = hasOutput && messages.at(-1)?.['role'] === 'assistant'
  const byModel = Object.entries(membersOf(sample['model_usage'])).map(
    ([name, usage]) => [modelNames(name).model, usageOf(membersOf(usage))] as const,
  )
  if (!hasOutput && byModel.length === 0) return undefined
  return {
    display_name: model,
    attributes: { kind: 'llm', model, ...stated({ provider }) },
    inputs: { model, messages: (isAnswered ? messages.slice(0, -1) : messages).map(chatMessage) },
    output: outputOf(output),
    exception: textOf(output['error']) ?? null,
    ...(byModel.length > 0 && { usage: Object.fromEntries(byModel) }),
  }
}

/** `openai/gpt-4o` is a provider and a model. */
function modelNames(name: string): { readonly provider: string | undefined; readonly model: string } {
  const slash = name.indexOf('/')
  return slash < 0
    ? { provider: undefined, model: name }
    : { provider: name.slice(0, slash), model: name.slice(slash + 1) }
}

function outputOf(output: Members): Members | null {
  const choices = objectsIn(output['choices']).map(({ message, stop_reason, ...others }) => ({
    message: chatMessage(membersOf(message)),
    finish_reason: stop_reason ?? null,
    ...stated(others),
  }))
  return choices.length === 0 ? null : stated({ model: output['model'], choices, error: output['error'] })
}

/** Inspect puts the name of a tool where others have an object. */
function chatMessage(message: Members): Members {
  if (!Array.isArray(message['tool_calls'])) return message
  const calls = objectsIn(message['tool_calls']).map(({ function: name, arguments: args, ...others }) => ({
    ...others,
    type: 'function',
    function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args ?? {}) },
  }))
  return { ...message, tool_calls: calls }
}

/** Input tokens do not include cached ones. */
function usageOf(usage: Members): Record<string, number> {
  const entries = Object.entries(usageMembers).flatMap(([name, member]): [string, number][] => {
    const count = numberOf(usage[name])
    return count === undefined ? [] : [[member, count]]
  })
  const members = Object.fromEntries(entries)
  const { input_tokens: input } = members
  if (input === undefined) return members
  const cached = (members['cache_read_input_tokens'] ?? 0) + (members['cache_creation_input_tokens'] ?? 0)
  return { ...members, gross_input_tokens: input + cached }
}

const usageMembers: Readonly<Record<string, string>> = {
  input_tokens: 'input_tokens',
  output_tokens: 'output_tokens',
  total_tokens: 'total_tokens',
  input_tokens_cache_read: 'cache_read_input_tokens',
  input_tokens_cache_write: 'cache_creation_input_tokens',
  reasoning_tokens: 'reasoning_tokens',
  total_cost: 'stated_cost',
}
