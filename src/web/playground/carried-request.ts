/** An object, by the names of its members. */
export type Members = Readonly<Record<string, unknown>>

/** Whether a value is an object with members. */
export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What a request says beside its messages, in the form of chat completions. */
export interface CarriedRequest {
  readonly settings: Map<string, unknown>
  readonly tools: unknown[]
  schema: unknown
  /** Names of what has no place there. */
  readonly notCarried: Set<string>
}

/** Inputs that say how a request is sent, and not what the model gets. */
const transport: ReadonlySet<string> = new Set(['stream', 'stream_options', 'timeout', 'self', 'template_vars'])
/** Inputs that are secrets or belong to another provider's client. */
const refused: ReadonlySet<string> = new Set([
  'api_key',
  'extra_headers',
  'extra_body',
  'extra_query',
  'vertex_credentials',
])
/** Inputs that the messages are read from, and those that name the model. */
const placed: ReadonlySet<string> = new Set(['model', 'messages', 'system', 'prompt', 'instructions', 'input'])
const placedElsewhere: ReadonlySet<string> = new Set([
  ...['contents', 'system_instruction', 'gen_ai.input.messages', 'gen_ai.system_instructions', 'gen_ai.prompt'],
])

/** The settings and tools of chat completions, as they were sent. */
export function chatRequest(inputs: Members): CarriedRequest {
  const carried: CarriedRequest = { settings: new Map(), tools: [], schema: undefined, notCarried: new Set() }
  for (const [name, value] of Object.entries(inputs)) {
    if (value === null || value === undefined || transport.has(name)) continue
    if (refused.has(name)) carried.notCarried.add(name)
    else if (name === 'tools' && Array.isArray(value)) carried.tools.push(...value)
    else if (name === 'response_format') putFormat(value, carried)
    else if (!placed.has(name)) carried.settings.set(name, value)
  }
  return carried
}

/** The schema is edited by itself; the name of the format and `strict` stay in the settings. */
function putFormat(format: unknown, carried: CarriedRequest): void {
  if (!isMembers(format) || !isMembers(format['json_schema'])) {
    carried.settings.set('response_format', format)
    return
  }
  const { schema, ...more } = format['json_schema']
  carried.schema = schema
  const isUsual = Object.keys(more).length === 1 && more['name'] === 'answer'
  if (!isUsual) carried.settings.set('response_format', { ...format, json_schema: more })
}

/**
 * The settings and tools of a request to another interface: OpenAI's responses, Anthropic's
 * messages, Gemini's contents, or the parameters of an OpenTelemetry span. Names follow the
 * references of these interfaces.
 *
 * @param hasMessages whether its messages were read, so that the inputs with them are done with
 */
export function translatedRequest(inputs: Members, hasMessages: boolean): CarriedRequest {
  const carried: CarriedRequest = { settings: new Map(), tools: [], schema: undefined, notCarried: new Set() }
  putAll(inputs, { carried, prefix: '', isDone: hasMessages, isResponses: inputs['input'] !== undefined })
  const lost = JSON.stringify(inputs)
  for (const name of ['cache_control', 'detail']) if (lost.includes(`"${name}":`)) carried.notCarried.add(name)
  return carried
}

interface Putting {
  readonly carried: CarriedRequest
  /** Name of the member that holds these, with a dot. */
  readonly prefix: string
  readonly isDone: boolean
  readonly isResponses: boolean
}

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function putAll(members: Members, putting: Putting): void {
  for (const [name, value] of Object.entries(members)) {
    const known = snakeCase(name)
    if (value === null || value === undefined || transport.has(known) || known === 'model') continue
    if (putting.isDone && (placed.has(known) || placedElsewhere.has(known))) continue
    if (!putOne(known, value, putting)) putting.carried.notCarried.add(`${putting.prefix}${name}`)
  }
}

/** Parts of a conversation that the provider holds, and what only it understands. */
const responsesOnly: ReadonlySet<string> = new Set([
  'previous_response_id',
  'conversation',
  'truncation',
  'include',
  'background',
  'max_tool_calls',
])
const renamed: Readonly<Record<string, string>> = {
  stop_sequences: 'stop',
  candidate_count: 'n',
  'choice.count': 'n',
}

/** @returns false for what chat completions have no place for */
function putOne(name: string, value: unknown, putting: Putting): boolean {
  const { carried, prefix, isResponses } = putting
  const { settings } = carried
  if (refused.has(name) || (isResponses && responsesOnly.has(name))) return false
  switch (name) {
    case 'config':
    case 'generation_config':
      if (!isMembers(value)) return false
      putAll(value, { ...putting, prefix: `${prefix}${name}.` })
      return true
    case 'tools':
      if (!Array.isArray(value)) return false
      for (const tool of value) carried.tools.push(...toolsIn(tool, carried))
      return true
    case 'tool_choice':
      return putChoice(value, carried)
    case 'tool_config':
      return isMembers(value) && putMode(value['function_calling_config'] ?? value['functionCallingConfig'], carried)
    case 'max_output_tokens':
      return settings.set(isResponses ? 'max_completion_tokens' : 'max_tokens', value) !== undefined
    case 'reasoning':
      return isMembers(value) && putSome(value, { effort: 'reasoning_effort' }, name, carried)
    case 'metadata':
      if (!isMembers(value)) return false
      if (!('user_id' in value)) return settings.set(name, value) !== undefined
      return putSome(value, { user_id: 'user' }, name, carried)
    case 'text':
      if (!isMembers(value)) return false
      putTextFormat(value['format'], carried)
      return putSome(value, { verbosity: 'verbosity', format: '' }, name, carried)
    case 'response_format':
      putFormat(value, carried)
      return true
    case 'response_schema':
    case 'response_json_schema':
      carried.schema = lowerTypes(value)
      return true
    case 'response_mime_type':
    case 'output_type':
      return value !== 'application/json' && value !== 'json'
        ? value === 'text' || value === 'text/plain'
        : settings.has('response_format') || settings.set('response_format', { type: 'json_object' }) !== undefined
    case 'choice':
      return isMembers(value) && putSome(value, { count: 'n' }, name, carried)
    default: {
      const isCarried = !isMembers(value) && (!Array.isArray(value) || renamed[name] === 'stop' || name === 'stop')
      if (isCarried) settings.set(renamed[name] ?? name, value)
      return isCarried || (isMembers(value) && Object.keys(value).length === 0)
    }
  }
}

/** Puts the members that have a place; names the others. */
function putSome(members: Members, places: Readonly<Record<string, string>>, of: string, carried: CarriedRequest) {
  for (const [name, value] of Object.entries(members)) {
    if (value === null || value === undefined) continue
    const place = places[name]
    if (place === undefined) carried.notCarried.add(`${of}.${name}`)
    else if (place !== '') carried.settings.set(place, value)
  }
  return true
}

function putTextFormat(format: unknown, carried: CarriedRequest): void {
  if (!isMembers(format) || format['type'] === 'text') return
  const { type, ...json_schema } = format
  putFormat(type === 'json_schema' ? { type, json_schema } : format, carried)
}

/** Which tools the model may or must call: Anthropic and the responses name it differently. */
function putChoice(choice: unknown, { settings, notCarried }: CarriedRequest): boolean {
  if (typeof choice === 'string') return settings.set('tool_choice', choice) !== undefined
  if (!isMembers(choice)) return false
  const { type, name, function: called, disable_parallel_tool_use: isSingle, ...more } = choice
  if (isSingle === true) settings.set('parallel_tool_calls', false)
  const word = { auto: 'auto', any: 'required', none: 'none' }[String(type)]
  const named = (type === 'tool' || type === 'function') && typeof name === 'string' ? { name } : called
  if (word === undefined && named === undefined) return false
  for (const member of Object.keys(more)) notCarried.add(`tool_choice.${member}`)
  return settings.set('tool_choice', word ?? { type: 'function', function: named }) !== undefined
}

function putMode(config: unknown, { settings }: CarriedRequest): boolean {
  const mode = isMembers(config) ? { AUTO: 'auto', ANY: 'required', NONE: 'none' }[String(config['mode'])] : undefined
  return mode !== undefined && settings.set('tool_choice', mode) !== undefined
}

/** A tool of any provider as functions of chat completions; what is no function is named. */
function toolsIn(tool: unknown, { notCarried }: CarriedRequest): unknown[] {
  if (!isMembers(tool)) return []
  if (isMembers(tool['function'])) return [tool]
  const declared = tool['function_declarations'] ?? tool['functionDeclarations']
  if (Array.isArray(declared)) return declared.flatMap((each) => functionOf(each) ?? [])
  const found = functionOf(tool)
  if (found !== undefined) return [found]
  const names = typeof tool['name'] === 'string' ? [tool['name']] : [tool['type'] ?? Object.keys(tool)[0] ?? '']
  for (const name of names) notCarried.add(`tools.${String(name)}`)
  return []
}

function functionOf(tool: unknown): unknown {
  if (!isMembers(tool)) return undefined
  const { name, description, strict, input_schema: schema, parameters_json_schema: json = schema } = tool
  const { parameters = json } = tool
  if (typeof name !== 'string' || !isMembers(parameters)) return undefined
  const more = { ...(description !== undefined && { description }), ...(typeof strict === 'boolean' && { strict }) }
  return { type: 'function', function: { name, ...more, parameters: lowerTypes(parameters) } }
}

/** Gemini writes the types of JSON Schema in capitals. */
function lowerTypes(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(lowerTypes)
  if (!isMembers(schema)) return schema
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [
      name,
      name === 'type' && typeof value === 'string' ? value.toLowerCase() : lowerTypes(value),
    ]),
  )
}
