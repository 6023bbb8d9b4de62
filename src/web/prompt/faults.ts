import { promptText } from '../text/prompt.ts'
import { type JsonFault, readJson } from './json-places.ts'
import type { Prompt, PromptMessage } from './prompt.ts'
import { schemaFault, toolsFault } from './schema-faults.ts'
import { placeAt, unclosedIn, variablesOf } from './variables.ts'

/** Part of a prompt that the editor can go to. */
export type PromptPart = number | 'tools' | 'schema' | 'variables' | 'model'

/** Something that keeps a prompt from being saved, or from running. */
export interface PromptFault {
  /** Faults stop saving; warnings do not. */
  readonly level: 'fault' | 'warning'
  /** Index of the message, or another part. */
  readonly part: PromptPart
  readonly text: string
  /** Whether the settings of the server, not the prompt, are where it is mended. */
  readonly isOfServer?: boolean
}

/** Everything wrong with a prompt: faults first. @param problem why its model cannot be called */
export function faultsOf(prompt: Prompt, problem?: string): readonly PromptFault[] {
  const { messages, tools, schema } = prompt
  return [
    ...messages.flatMap((message, index) => messageFaults(prompt, message, index)),
    ...jsonFault('tools', tools, toolsFault, promptText.inTools),
    ...jsonFault('schema', schema, schemaFault, promptText.inSchema),
    ...(messages.length === 0 ? [fault(0, promptText.noMessages)] : []),
    ...withoutValue(prompt),
    ...notCallable(problem),
  ]
}

const fault = (part: PromptPart, text: string): PromptFault => ({ level: 'fault', part, text })

function messageFaults({ messages, format }: Prompt, message: PromptMessage, index: number): PromptFault[] {
  const { role, text, isParts, toolCalls, toolCallId } = message
  const name = promptText.messageName(index + 1, role)
  const parts = isParts ? readJson(text) : undefined
  return [
    ...(role === 'assistant'
      ? []
      : unclosedIn(text, format).map(({ line, column }) => fault(index, promptText.unclosed(name, line, column)))),
    ...(parts && 'fault' in parts ? [fault(index, promptText.badJson(name, ...at(text, parts.fault)))] : []),
    ...(parts && !('fault' in parts) && !Array.isArray(parts.value)
      ? [fault(index, promptText.badJson(name, 1, 1, promptText.partsAreList))]
      : []),
    ...(role === 'tool' && !isAnswer(messages, index) ? [fault(index, promptText.noCall(name, toolCallId))] : []),
    ...toolCalls.flatMap((call) => {
      const read = readJson(call.arguments)
      return [
        ...(call.name === '' ? [fault(index, promptText.noToolName(name))] : []),
        ...('fault' in read
          ? [fault(index, promptText.badArguments(name, call.name, ...at(call.arguments, read.fault)))]
          : []),
      ]
    }),
  ]
}

/** Whether a tool's message answers a call of an assistant's message before it. */
const isAnswer = (messages: readonly PromptMessage[], index: number): boolean =>
  messages.slice(0, index).some(({ toolCalls }) => toolCalls.some(({ id }) => id === messages[index]?.toolCallId))

const at = (text: string, { offset, reason }: JsonFault): [line: number, column: number, reason: string] => {
  const { line, column } = placeAt(text, offset)
  return [line, column, reason]
}

function jsonFault(
  part: PromptPart,
  text: string,
  faultIn: (text: string) => JsonFault | undefined,
  words: (line: number, column: number, reason: string) => string,
): PromptFault[] {
  const found = text.trim() === '' ? undefined : faultIn(text)
  return found === undefined ? [] : [fault(part, words(...at(text, found)))]
}

function withoutValue(prompt: Prompt): PromptFault[] {
  const names = variablesOf(prompt).flatMap(({ name, example }) => (example === '' ? [name] : []))
  return names.length === 0 ? [] : [{ level: 'warning', part: 'variables', text: promptText.withoutValue(names) }]
}

const notCallable = (problem: string | undefined): PromptFault[] =>
  problem === undefined ? [] : [{ level: 'warning', part: 'model', text: `${problem}.`, isOfServer: true }]
