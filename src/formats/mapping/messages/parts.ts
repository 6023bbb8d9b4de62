import { isJsonObject } from '../../../lib/json-value.ts'
import type { MessagePart } from '../../schemas/messages.ts'
import { contentDigest, mediaPart, mediaTypeIn } from './media-part.ts'
import { firstText, firstValue, jsonTextOf, listIn, type Members, objectIn, textOf } from './members.ts'

/** The tool calls beside the content of a message, in the forms of all providers. */
export function toolCallsBeside(message: Members): MessagePart[] {
  const calls = [...(listIn(message, 'tool_calls') ?? listIn(message, 'toolCalls') ?? [])]
  const single = objectIn(message, 'function_call') ?? objectIn(message, 'functionCall')
  if (single !== undefined && calls.length === 0) calls.push(single)
  return calls.filter(isJsonObject).map(toolCall)
}

/** A tool call; its name and arguments may be one level down. */
function toolCall(call: Members): MessagePart {
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
function toolResult(result: Members): MessagePart {
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

/** The parts of the content of a message, in the forms of all providers. */
export function partsOf(content: unknown): MessagePart[] {
  if (content === null || content === undefined) return []
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  if (Array.isArray(content)) return content.flatMap((part) => (isJsonObject(part) ? partOf(part) : partsOf(part)))
  return isJsonObject(content) ? partOf(content) : [{ type: 'text', text: textOf(content) }]
}

const jsonPart = (value: unknown): MessagePart => ({ type: 'json', text: JSON.stringify(value) })

/** Parts whose kind is given by their `type`. */
const readers: Readonly<Record<string, (part: Members) => MessagePart | undefined>> = {
  text: textPart,
  input_text: textPart,
  output_text: textPart,
  summary_text: textPart,
  refusal: (part) => ofText(firstText(part, 'refusal', 'text')),
  thinking: reasoning,
  reasoning,
  redacted_thinking: () => ({ type: 'reasoning', text: '' }),
  tool_use: toolCall,
  server_tool_use: toolCall,
  tool_call: toolCall,
  'tool-call': toolCall,
  function_call: toolCall,
  custom_tool_call: toolCall,
  function: toolCall,
  tool_result: toolResult,
  web_search_tool_result: toolResult,
  'tool-result': toolResult,
  tool_call_response: toolResult,
  function_call_output: toolResult,
  custom_tool_call_output: toolResult,
  image: (part) => mediaPart(part, 'image'),
  image_url: (part) => mediaPart(part, 'image'),
  input_image: (part) => mediaPart(part, 'image'),
  input_audio: (part) => mediaPart(firstValue(part, 'input_audio', 'audio') ?? part, 'audio'),
  audio: (part) => mediaPart(firstValue(part, 'audio') ?? part, 'audio'),
  file: (part) => mediaPart(firstValue(part, 'file') ?? part, 'file', mediaTypeIn(part)),
  input_file: (part) => mediaPart(part, 'file'),
  document: (part) => mediaPart(part, 'file'),
  media: (part) => mediaPart(part, 'file'),
  blob: (part) => mediaPart(part, mediaOfModality(part)),
  uri: (part) => mediaPart(part, mediaOfModality(part)),
}

function partOf(part: Members): MessagePart[] {
  if (contentDigest(part) !== undefined) return [mediaPart(part, 'file') ?? jsonPart(part)]
  // OpenInference puts each part one level down.
  const nested = objectIn(part, 'message_content')
  if (nested !== undefined) return partOf(nested)
  const type = firstText(part, 'type')
  const read = type === undefined ? undefined : Object.hasOwn(readers, type) ? readers[type] : undefined
  const known = read === undefined ? ofOneMember(part) : read(part)
  return [known ?? jsonPart(part)]
}

/**
 * Parts of Gemini, Bedrock and Haystack have no type: each has one member that identifies its kind.
 */
function ofOneMember(part: Members): MessagePart | undefined {
  const used = objectIn(part, 'toolUse') ?? objectIn(part, 'tool_call')
  if (used !== undefined) return toolCall(used)
  const result = objectIn(part, 'toolResult') ?? objectIn(part, 'tool_call_result')
  if (result !== undefined) return toolResult(result)
  const thought = objectIn(part, 'reasoningContent')
  if (thought !== undefined) return reasoning(objectIn(thought, 'reasoningText') ?? thought)
  if (objectIn(part, 'functionCall') ?? objectIn(part, 'function_call')) return toolCall(part)
  if (objectIn(part, 'functionResponse') ?? objectIn(part, 'function_response')) return toolResult(part)
  const media =
    objectIn(part, 'inlineData') ??
    objectIn(part, 'inline_data') ??
    objectIn(part, 'fileData') ??
    objectIn(part, 'file_data')
  if (media !== undefined) return mediaPart(media, 'file')
  const text = firstText(part, 'text')
  if (text === undefined) return undefined
  return part['thought'] === true ? { type: 'reasoning', text } : ofText(text)
}

function textPart(part: Members): MessagePart | undefined {
  // The Responses API of OpenAI and the semantic conventions of OpenTelemetry differ in the name.
  const text = firstValue(part, 'text', 'content')
  // LangChain: {"text": {"value": …}}
  return ofText(isJsonObject(text) ? firstText(text, 'value') : typeof text === 'string' ? text : undefined)
}

const ofText = (text: string | undefined): MessagePart | undefined =>
  text === undefined ? undefined : { type: 'text', text }

function reasoning(part: Members): MessagePart | undefined {
  const text = firstText(part, 'thinking', 'text', 'content', 'reasoning')
  if (text !== undefined) return { type: 'reasoning', text }
  const pieces = [...(listIn(part, 'summary') ?? []), ...(listIn(part, 'content') ?? [])].filter(isJsonObject)
  return { type: 'reasoning', text: pieces.map((piece) => firstText(piece, 'text') ?? '').join('\n') }
}

function mediaOfModality(part: Members): 'image' | 'audio' | 'file' {
  const modality = firstText(part, 'modality')
  return modality === 'image' || modality === 'audio' ? modality : 'file'
}
