import { isJsonObject } from '../../../lib/json-value.ts'
import type { MessagePart } from '../../schemas/messages.ts'
import { firstText, firstValue, jsonTextOf, listIn, type Members, objectIn, textOf } from './members.ts'

/** The tool calls that stand beside the content of a message, in the forms of all providers. */
export function toolCallsBeside(message: Members): MessagePart[] {
  const calls = [...(listIn(message, 'tool_calls') ?? listIn(message, 'toolCalls') ?? [])]
  const single = objectIn(message, 'function_call') ?? objectIn(message, 'functionCall')
  if (single !== undefined && calls.length === 0) calls.push(single)
  return calls.filter(isJsonObject).map(toolCall)
}

/** A tool call; its name and arguments may be one level down. */
export function toolCall(call: Members): MessagePart {
  const inner =
    objectIn(call, 'function') ??
    objectIn(call, 'tool_call') ??
    objectIn(call, 'functionCall') ??
    objectIn(call, 'function_call') ??
    call
  if (inner !== call && objectIn(inner, 'function') !== undefined) {
    return toolCall({ ...inner, id: firstText(inner, 'id') ?? firstText(call, 'id') ?? null })
  }
  const id =
    firstText(call, 'call_id', 'tool_call_id', 'toolCallId', 'toolUseId', 'id') ?? firstText(inner, 'id') ?? null
  const args = firstValue(inner, 'arguments', 'args', 'input')
  return {
    type: 'tool_call',
    id,
    name: firstText(inner, 'name', 'toolName', 'tool_name') ?? '',
    arguments: jsonTextOf(args),
  }
}

/** The result of a tool. */
export function toolResult(result: Members): MessagePart {
  const inner = objectIn(result, 'functionResponse') ?? objectIn(result, 'function_response') ?? result
  const origin = objectIn(inner, 'origin') ?? {}
  const id =
    firstText(inner, 'tool_use_id', 'tool_call_id', 'toolCallId', 'toolUseId', 'call_id') ??
    firstText(inner, 'id') ??
    firstText(origin, 'id') ??
    null
  const content = firstValue(inner, 'output', 'result', 'response', 'content')
  const status = firstText(inner, 'status')
  return {
    type: 'tool_result',
    id,
    name: firstText(inner, 'name', 'toolName', 'tool_name') ?? firstText(origin, 'tool_name') ?? null,
    content: resultText(content),
    is_error: inner['is_error'] === true || inner['isError'] === true || inner['error'] === true || status === 'error',
  }
}

/** Lists of nothing but text become text; the AI SDK wraps values as `{type, value}`. */
export function resultText(content: unknown): string {
  if (Array.isArray(content) && content.length > 0) {
    const texts = content.map((part) => (isJsonObject(part) ? firstText(part, 'text') : undefined))
    if (texts.every((text) => text !== undefined)) return texts.join('\n')
  }
  if (
    isJsonObject(content) &&
    Object.hasOwn(content, 'value') &&
    /^(?:text|json|error)/.test(String(content['type']))
  ) {
    return textOf(content['value'])
  }
  return textOf(content)
}
