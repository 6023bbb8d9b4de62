import { findRef } from '../../formats/dialect/parsed-ref.ts'
import { startsLikeRef } from '../../formats/dialect/ref.ts'
import { isJsonObject } from '../../lib/json-value.ts'
import type { ProjectReader } from '../access/index.ts'
import type { ObjectInUse, ProviderObjects } from './provider-objects.ts'
import { refuseCompletion } from './refusal.ts'

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
  return messagesOf(found, prompt)
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
