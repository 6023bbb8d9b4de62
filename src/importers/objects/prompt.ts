import type { RequestRecord } from '../record.ts'
import type { Labels } from './labels.ts'
import { NamedObject } from './named-object.ts'

/** A version of a prompt: a text, or messages. */
export interface PromptVersion {
  readonly name: string
  readonly description: string | null
  readonly prompt: string | readonly unknown[]
  /** What the source keeps beside it: the model, its parameters, tools. */
  readonly more: Readonly<Record<string, unknown>>
  readonly labels: Labels
}

/** A prompt as an object of the classes that client SDKs have for them. */
export function promptRecord({ name, description, prompt, more, labels }: PromptVersion): RequestRecord {
  const isText = typeof prompt === 'string'
  return new NamedObject({
    what: 'prompt versions',
    name,
    className: isText ? 'StringPrompt' : 'MessagesPrompt',
    bases: ['Prompt', 'Object', 'BaseModel'],
    members: () => ({ description, ...(isText ? { content: prompt } : { messages: prompt }), ...more }),
    labels,
  }).record
}
