import { findRef } from '../../formats/dialect/parsed-ref.ts'
import { startsLikeRef } from '../../formats/dialect/ref.ts'
import { type PlaceholderFormat, replacePlaceholders } from '../../lib/completion-request.ts'
import { isJsonObject, mapJson, mapMembers } from '../../lib/json-value.ts'
import { requestLimits } from '../../lib/limits/requests.ts'
import type { ProjectReader } from '../access/index.ts'
import { refuseCompletion } from './provider-error.ts'
import type { ObjectInUse, ProviderObjects } from './provider-objects.ts'

type Message = Readonly<Record<string, unknown>>
type Variables = Readonly<Record<string, unknown>>

/**
 * The messages of prompts with the template format `mustache`: a prompt and the request that uses
 * it may be written differently. See docs/decisions/232-variables-of-prompts.md.
 */
const mustacheMessages = new WeakSet<Message>()

/**
 * Replaces placeholders in texts and text parts of messages, except those of the assistant:
 * `{name}`, or `{{name}}` in the messages of a prompt that says so. Without variables nothing is
 * replaced.
 *
 * @param format of messages that are not those of a prompt
 * @throws CompletionRefused for a missing variable, or if the result exceeds the maximum size of a
 *   request
 */
export function fillMessages(
  messages: readonly Message[],
  variables: Variables | null | undefined,
  format: PlaceholderFormat = 'braces',
): readonly Message[] {
  if (variables == null || Object.keys(variables).length === 0) return messages
  const fill = fillerWith(variables)
  return messages.map((message) => {
    if (message['role'] === 'assistant') return message
    const own = mustacheMessages.has(message) ? 'mustache' : format
    const fillText = (text: string) => fill(text, own)
    return mapMembers(message, (member, key) => (key === 'content' ? fillContent(member, fillText) : member))
  })
}

function fillContent(content: unknown, fill: (text: string) => string): unknown {
  if (typeof content === 'string') return fill(content)
  if (!Array.isArray(content)) return content
  return content.map((part: unknown) => {
    if (!isJsonObject(part) || part['type'] !== 'text') return part
    return mapJson(part, (member, key) => (key === 'text' && typeof member === 'string' ? fill(member) : member))
  })
}

/** Limits the output: a short template can name a long variable a million times. */
function fillerWith(variables: Variables): (text: string, format: PlaceholderFormat) => string {
  const texts = new Map<string, string>()
  let charsLeft = requestLimits.bodyBytesMax
  const textOf = (name: string): string => {
    if (!Object.hasOwn(variables, name)) refuseCompletion(`Missing template variable "${name}"`)
    const value = variables[name]
    return typeof value === 'string' ? value : JSON.stringify(value)
  }
  return (text, format) =>
    replacePlaceholders(text, format, (name) => {
      const filled = texts.get(name) ?? textOf(name)
      texts.set(name, filled)
      charsLeft -= filled.length
      if (charsLeft < 0)
        refuseCompletion(`The messages exceed ${requestLimits.bodyBytesMax} characters after template substitution`)
      return filled
    })
}

const promptClasses: ReadonlySet<string> = new Set(['Prompt', 'MessagesPrompt'])

/**
 * The messages of a prompt, which are prepended to those of the request. A plain text prompt
 * becomes a system message.
 *
 * @param prompt a ref of either dialect into the project, `name:version`, or `name` for the latest
 *   version
 * @throws CompletionRefused
 */
export async function promptMessages(
  reader: ProjectReader,
  prompt: string | null | undefined,
  objects: ProviderObjects,
): Promise<readonly Record<string, unknown>[]> {
  if (prompt == null || prompt === '') return []
  const { name, version } = nameIn(reader, prompt)
  const found = await objects.find(reader, name, version)
  if (found === undefined) refuseCompletion(`The prompt "${prompt}" does not exist`)
  const messages = messagesOf(found, prompt)
  if (isJsonObject(found.val) && found.val['template_format'] === 'mustache')
    for (const message of messages) mustacheMessages.add(message)
  return messages
}

function nameIn({ projectId }: ProjectReader, prompt: string): { name: string; version: string } {
  if (startsLikeRef(prompt)) {
    const ref = findRef(prompt)
    if (ref?.kind !== 'object' || ref.projectId !== projectId || ref.edges.length > 0) {
      refuseCompletion(`"${prompt}" is not a ref to an object in the project`)
    }
    return ref
  }
  const colon = prompt.lastIndexOf(':')
  if (colon < 0) return { name: prompt, version: 'latest' }
  return { name: prompt.slice(0, colon), version: prompt.slice(colon + 1) || 'latest' }
}

function messagesOf({ val, baseClass }: ObjectInUse, prompt: string): readonly Record<string, unknown>[] {
  if (!isJsonObject(val) || baseClass === null || !promptClasses.has(baseClass)) {
    refuseCompletion(`The object "${prompt}" is not a prompt`)
  }
  const { messages, content } = val
  if (Array.isArray(messages) && messages.every(isJsonObject)) return messages
  if (typeof content === 'string') return [{ role: 'system', content }]
  return refuseCompletion(`The prompt "${prompt}" has no messages`)
}
