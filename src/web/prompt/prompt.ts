/** How the variables of a prompt are written. See docs/decisions/232-variables-of-prompts.md. */
export type TemplateFormat = 'mustache' | 'braces'

/** Roles of messages. */
export const roles = ['system', 'user', 'assistant', 'tool'] as const

/** A tool that an assistant's message calls. */
export interface ToolCall {
  readonly id: string
  readonly name: string
  /** JSON text. */
  readonly arguments: string
}

/** A message as the editor holds it. */
export interface PromptMessage {
  /** Names it while it is moved; not stored. */
  readonly key: number
  readonly role: string
  /** The text; JSON text of the parts if `isParts`. */
  readonly text: string
  /** Whether the content is a list of parts, such as texts and images. */
  readonly isParts: boolean
  readonly toolCalls: readonly ToolCall[]
  /** Id of the tool call that a tool's message answers. */
  readonly toolCallId: string
  /** All other members, as they were. */
  readonly rest: Readonly<Record<string, unknown>>
}

/** A variable of a prompt. */
interface VariableFacts {
  readonly type: string
  readonly example: string
}

/** The content of a prompt as the editor holds it: what people type is text, faulty or not. */
export interface Prompt {
  /** Whether it is a `StringPrompt`: one text without a role. */
  readonly isText: boolean
  readonly messages: readonly PromptMessage[]
  readonly format: TemplateFormat
  /** Description of the version's changes. */
  readonly description: string
  readonly model: string
  /** Values by name as text; those that are not set are left out. */
  readonly settings: Readonly<Record<string, string>>
  /** JSON text of a list of tools; empty without any. */
  readonly tools: string
  /** JSON text of a JSON Schema of the answer; empty without one. */
  readonly schema: string
  readonly variables: Readonly<Record<string, VariableFacts>>
  /** All other members, as they were. */
  readonly rest: Readonly<Record<string, unknown>>
}

/** Settings of models: the most used ones first. */
export const settingNames = [
  'temperature',
  'max_tokens',
  'top_p',
  'seed',
  'frequency_penalty',
  'presence_penalty',
  'stop',
  'reasoning_effort',
  'parallel_tool_calls',
] as const

type Members = Readonly<Record<string, unknown>>

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

let lastKey = 0

/** A new message. */
export const newMessage = (role: string, text = ''): PromptMessage => ({
  key: ++lastKey,
  role,
  text,
  isParts: false,
  toolCalls: [],
  toolCallId: '',
  rest: {},
})

/** Initial content of a new prompt. */
export const newPrompt = (): Prompt => ({
  isText: false,
  messages: [newMessage('system', 'You are a helpful assistant.'), newMessage('user', '{{question}}')],
  format: 'mustache',
  description: '',
  model: '',
  settings: {},
  tools: '',
  schema: '',
  variables: {},
  rest: {},
})

/** Reads the content of a prompt, of an SDK or of this UI. */
export function promptOf(val: unknown): Prompt {
  const {
    messages,
    content,
    template_format: format,
    description,
    model,
    settings,
    tools,
    response_schema: schema,
    variables,
    ...rest
  } = isMembers(val) ? val : {}
  const isText = !Array.isArray(messages) && typeof content === 'string'
  return {
    isText,
    messages: isText
      ? [newMessage('text', textOf(content))]
      : (Array.isArray(messages) ? messages : []).filter(isMembers).map(messageOf),
    format: format === 'mustache' ? 'mustache' : 'braces',
    description: textOf(description),
    model: textOf(model),
    settings: Object.fromEntries(
      Object.entries(isMembers(settings) ? settings : {})
        .filter(([, value]) => value !== null)
        .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
    ),
    tools: jsonText(tools),
    schema: jsonText(schema),
    variables: Object.fromEntries(
      Object.entries(isMembers(variables) ? variables : {}).map(([name, facts]) => [
        name,
        isMembers(facts) ? { type: textOf(facts['type']), example: exampleOf(facts['example']) } : noFacts,
      ]),
    ),
    rest,
  }
}

const noFacts: VariableFacts = { type: '', example: '' }

const exampleOf = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)

const jsonText = (value: unknown): string =>
  value === undefined || value === null ? '' : JSON.stringify(value, null, 2)

function messageOf({ role, content, tool_calls: calls, tool_call_id: answered, ...rest }: Members): PromptMessage {
  const isParts = typeof content === 'object' && content !== null
  return {
    ...newMessage(textOf(role)),
    text: isParts ? JSON.stringify(content, null, 2) : textOf(content),
    isParts,
    toolCalls: (Array.isArray(calls) ? calls : []).filter(isMembers).map((call) => {
      const called = isMembers(call['function']) ? call['function'] : {}
      return { id: textOf(call['id']), name: textOf(called['name']), arguments: exampleOf(called['arguments']) }
    }),
    toolCallId: textOf(answered),
    rest,
  }
}

/** The content to store. @throws {SyntaxError} for JSON that the faults of the prompt name */
export function contentOf(prompt: Prompt): Record<string, unknown> {
  const { isText, messages, format, description, model, settings, tools, schema, variables, rest } = prompt
  const className = isText ? 'StringPrompt' : 'MessagesPrompt'
  const known = Object.entries(variables).filter(([, { type, example }]) => type !== '' || example !== '')
  const set = Object.entries(settings).filter(([, value]) => value.trim() !== '')
  return {
    _type: className,
    _class_name: className,
    _bases: ['Prompt', 'Object', 'BaseModel'],
    name: null,
    ...rest,
    description: description === '' ? null : description,
    ...(isText ? { content: messages[0]?.text ?? '' } : { messages: messages.map(storedMessage) }),
    ...(format === 'mustache' && { template_format: format }),
    ...(model !== '' && { model }),
    ...(set.length > 0 && {
      settings: Object.fromEntries(set.map(([name, value]) => [name, settingValue(value)])),
    }),
    ...(tools.trim() !== '' && { tools: jsonIn(tools) }),
    ...(schema.trim() !== '' && { response_schema: jsonIn(schema) }),
    ...(known.length > 0 && { variables: Object.fromEntries(known) }),
  }
}

/** The value of a JSON text. @throws {SyntaxError} */
export const jsonIn = (text: string): unknown => JSON.parse(text)

/** A message as it is stored and sent. @throws {SyntaxError} for faulty JSON */
export function storedMessage({ role, text, isParts, toolCalls, toolCallId, rest }: PromptMessage): Members {
  const content = isParts ? jsonIn(text) : toolCalls.length > 0 && text === '' ? null : text
  return {
    role,
    content,
    ...(toolCalls.length > 0 && {
      tool_calls: toolCalls.map((call) => ({
        id: call.id,
        type: 'function',
        function: { name: call.name, arguments: call.arguments },
      })),
    }),
    ...(toolCallId !== '' && { tool_call_id: toolCallId }),
    ...rest,
  }
}

/** The value of a setting as it was typed: a number, true or false, a list, or text. */
export function settingValue(text: string): unknown {
  const trimmed = text.trim()
  if (/^(?:-?\d|\[|"|true$|false$)/.test(trimmed)) {
    try {
      return JSON.parse(trimmed)
    } catch {
      // It is text that begins like JSON.
    }
  }
  return trimmed
}

/** The most likely role of the next message. */
const nextRole = (messages: readonly PromptMessage[]): string =>
  messages.length === 0 ? 'system' : messages.at(-1)?.role === 'user' ? 'assistant' : 'user'

/** A prompt with one more message. */
export const withMessage = (prompt: Prompt): Prompt => ({
  ...prompt,
  messages: [...prompt.messages, newMessage(nextRole(prompt.messages))],
})

/** A message whose text is the first of its parts. */
export const withParts = (message: PromptMessage): PromptMessage => ({
  ...message,
  isParts: true,
  text: JSON.stringify([{ type: 'text', text: message.text }], null, 2),
})

/** What a message says, in one line: its texts, and the types of its other parts. */
export function shortText({ isParts, text }: PromptMessage): string {
  if (!isParts) return text
  try {
    const parts: unknown = JSON.parse(text)
    return (Array.isArray(parts) ? parts : [])
      .filter(isMembers)
      .map(({ text: said, type }) => (typeof said === 'string' ? said : `[${textOf(type)}]`))
      .join(' ')
  } catch {
    return text // Somebody is typing JSON.
  }
}
