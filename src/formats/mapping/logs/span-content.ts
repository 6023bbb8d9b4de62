import { isJsonObject } from '../../../lib/json-value.ts'
import { parseJsonText, withLists } from '../spans/attribute-tree.ts'
import { numberIn, textIn, valueIn } from './attribute-values.ts'
import type { LogEvent } from './log-event.ts'

/** Input and output of a span, as found in log records. */
export interface SpanContent {
  readonly inputs?: Readonly<Record<string, unknown>>
  readonly output?: unknown
}

const details = 'gen_ai.client.inference.operation.details'
export const evaluationResult = 'gen_ai.evaluation.result'

/** Events that are a message each, in the order in which those of one moment belong. */
export const messageEvents: readonly string[] = [
  'gen_ai.system.message',
  'gen_ai.user.message',
  'gen_ai.assistant.message',
  'gen_ai.tool.message',
  'gen_ai.choice',
]

/** Texts that Spring AI logs. */
const springPrompt = /^Chat (?:Model|Client) Prompt Content:\s*/
const springAnswer = /^Chat (?:Model|Client) Completion:\s*/

/** The content of a single record: the details of an operation, or a text of Spring AI. */
export function contentOf(event: LogEvent): SpanContent | undefined {
  if (event.name === details) return detailsOf(event)
  if (typeof event.body !== 'string') return undefined
  if (springPrompt.test(event.body)) {
    const content = parseJsonText(event.body.replace(springPrompt, ''))
    const texts = Array.isArray(content) ? content : [content]
    return { inputs: { messages: texts.map((text) => ({ role: 'user', content: text })) } }
  }
  if (!springAnswer.test(event.body)) return undefined
  const content = parseJsonText(event.body.replace(springAnswer, ''))
  const text = Array.isArray(content) ? content.join('\n') : content
  return { output: { role: 'assistant', content: text } }
}

function detailsOf({ attributes, body }: LogEvent): SpanContent | undefined {
  // Before the attributes were agreed on, the body had them.
  const tree = isJsonObject(body) ? { ...body, ...attributes } : attributes
  const messages = valueIn(tree, 'gen_ai.input.messages')
  const system = valueIn(tree, 'gen_ai.system_instructions')
  const answer = valueIn(tree, 'gen_ai.output.messages')
  const asked = messages === undefined ? undefined : { 'gen_ai.input.messages': withLists(messages) }
  const inputs = system === undefined ? asked : { ...asked, system: withLists(system) }
  if (inputs === undefined && answer === undefined) return undefined
  return {
    ...(inputs && { inputs }),
    ...(answer !== undefined && { output: { 'gen_ai.output.messages': withLists(answer) } }),
  }
}

/** The content of a span that has one record for each message. */
export function contentOfMessages(events: readonly LogEvent[]): SpanContent {
  const sorted = events.toSorted((a, b) => (a.time ?? 0) - (b.time ?? 0) || rankOf(a) - rankOf(b))
  const choices = sorted.filter(({ name }) => name === messageEvents.at(-1)).map(bodyOf)
  const messages = sorted
    .filter(({ name }) => name !== messageEvents.at(-1))
    .map((event) => ({ role: event.name?.split('.')[1], ...bodyOf(event) }))
  return {
    ...(messages.length > 0 && { inputs: { messages } }),
    ...(choices.length > 0 && { output: { choices } }),
  }
}

const rankOf = ({ name }: LogEvent): number => messageEvents.indexOf(name ?? '')

function bodyOf({ body, attributes }: LogEvent): Record<string, unknown> {
  const value = parseJsonText(body)
  if (isJsonObject(value)) return { ...value }
  return { ...attributes, ...(value !== null && { content: value }) }
}

/** The judgement of an evaluation. */
export interface Evaluation {
  readonly name: string
  readonly score: number | undefined
  readonly payload: Readonly<Record<string, unknown>>
}

/** An evaluation result of an event of either kind; undefined if it names no evaluation. */
export function evaluationOf(attributes: LogEvent['attributes']): Evaluation | undefined {
  const name = textIn(attributes, 'gen_ai.evaluation.name')
  if (name === undefined) return undefined
  const score = numberIn(attributes, 'gen_ai.evaluation.score.value')
  const members = {
    name,
    score,
    label: valueIn(attributes, 'gen_ai.evaluation.score.label'),
    explanation: valueIn(attributes, 'gen_ai.evaluation.explanation'),
    response_id: valueIn(attributes, 'gen_ai.response.id'),
    error_type: valueIn(attributes, 'error.type'),
  }
  const payload = Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
  return { name, score, payload }
}
