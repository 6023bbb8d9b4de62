type Members = Readonly<Record<string, unknown>>

/** How placeholders of a template are written: `{name}`, or `{{name}}`. */
export type PlaceholderFormat = 'braces' | 'mustache'

const patterns = {
  // A doubled brace means a single one. Other braces are text: messages often contain JSON.
  braces: /\{\{|\}\}|\{([A-Za-z_]\w*)\}/g,
  // Other braces are text.
  mustache: /\{\{[^\S\n]*([\p{L}_][\p{L}\p{N}_.-]*)[^\S\n]*\}\}/gu,
} as const

/** Replaces the placeholders of a text. @param replace gets the name and the placeholder itself */
export const replacePlaceholders = (
  text: string,
  format: PlaceholderFormat,
  replace: (name: string, found: string) => string,
): string =>
  text.replaceAll(patterns[format], (found: string, name: string | undefined) =>
    name === undefined ? found.charAt(0) : replace(name, found),
  )

/** Members that say of which class a stored part is; providers refuse them. */
const classMembers: ReadonlySet<string> = new Set(['_type', '_class_name', '_bases'])

/** Members of the parameters of a model object that are not sent to the provider as they are. */
const ownParams: ReadonlySet<string> = new Set([
  'messages_template',
  'prompt',
  'n_times',
  'response_format',
  ...classMembers,
])

/** Messages in any notation: a list, a single message, or the text of one. */
export function messagesIn(value: unknown): Members[] {
  if (typeof value === 'string') return [{ role: 'user', content: value }]
  if (Array.isArray(value)) return value.flatMap(messagesIn)
  return isObject(value) && typeof value['role'] === 'string' ? [value] : []
}

/** A message of a stored template as providers take it: without its class and unset members. */
export const plainMessage = (message: Members): Members =>
  Object.fromEntries(
    Object.entries(message).filter(
      ([name, value]) => !classMembers.has(name) && (value !== null || name === 'content'),
    ),
  )

/** The parameters of a model object, as providers take them. */
export function providerParams(params: Members): Record<string, unknown> {
  const passed = Object.entries(params).filter(([name, value]) => !ownParams.has(name) && value != null)
  const format = params['response_format']
  return {
    ...Object.fromEntries(passed),
    ...(asksForJson(params) && { response_format: isObject(format) ? format : { type: 'json_object' } }),
  }
}

/** Whether a model with these parameters is to answer with JSON. */
export function asksForJson({ response_format: format }: Members): boolean {
  return isObject(format) ? format['type'] !== 'text' : format === 'json' || format === 'json_object'
}

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
