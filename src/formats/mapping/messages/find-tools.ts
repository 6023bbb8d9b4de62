import { isJsonObject } from '../../../lib/json-value.ts'
import type { MessageTool } from '../../schemas/messages.ts'
import { payloadNames } from '../conventions/payload-names.ts'
import { parseJsonText } from '../spans/json-text.ts'
import { firstText, firstValue, listIn, objectIn } from './members.ts'

/** The tools offered to a model, as found in the first of the values that offers any. */
export function findTools(...values: readonly unknown[]): MessageTool[] {
  for (const value of values) {
    const tools = toolsIn(value, 3)
    if (tools.length > 0) return tools
  }
  return []
}

const wrappers = ['inputs', 'kwargs', 'request', 'config', 'invocation_params', 'body', 'arg0', 'model_parameters']

function toolsIn(given: unknown, levels: number): MessageTool[] {
  const value = parseJsonText(given)
  if (!isJsonObject(value)) return []
  const list = parseJsonText(firstValue(value, 'tools', 'functions'))
  const own = Array.isArray(list) ? list.flatMap(toolOf) : isJsonObject(list) ? Object.values(list).flatMap(toolOf) : []
  if (own.length > 0 || levels === 0) return own
  for (const name of [...wrappers, ...Object.keys(value).filter((key) => payloadNames.has(key))]) {
    const found = toolsIn(firstValue(value, name), levels - 1)
    if (found.length > 0) return found
  }
  return []
}

function toolOf(given: unknown): MessageTool[] {
  const value = parseJsonText(given)
  if (!isJsonObject(value)) return []
  // Gemini groups them; OpenInference keeps the schema of each in one member.
  const group = listIn(value, 'function_declarations') ?? listIn(value, 'functionDeclarations')
  if (group !== undefined) return group.flatMap(toolOf)
  const schema = parseJsonText(firstValue(value, 'tool', 'json_schema'))
  if (isJsonObject(schema) && firstText(value, 'name') === undefined) return toolOf(schema)
  const inner = objectIn(value, 'function') ?? value
  const name = firstText(inner, 'name') ?? firstText(value, 'type')
  return name === undefined ? [] : [{ name, description: firstText(inner, 'description') ?? null }]
}
