import { isJsonObject, isRawNumber } from '../../kernel/json-value.ts'
import type { LogGroup, LogRecord } from '../../wire/otlp/log-record.ts'
import type { SpanResource } from '../../wire/otlp/span.ts'
import { attributeTree, findInTree } from '../spans/attribute-tree.ts'
import type { Redact } from '../spans/span-dump.ts'

type Tree = Readonly<Record<string, unknown>>

/** A log record as it is stored, with what it has in common with other records resolved. */
export interface LogEvent {
  /** Of the event, else of its observation; microseconds, undefined if neither was sent. */
  readonly time: number | undefined
  readonly observedAt: number | null
  readonly traceId: string | null
  readonly spanId: string | null
  readonly name: string | null
  readonly threadId: string | null
  readonly severityNumber: number | null
  readonly severityText: string | null
  readonly body: unknown
  readonly attributes: Tree
  readonly group: EventGroup
}

/** What the records of one library in one resource share. */
export interface EventGroup {
  readonly resource: Tree
  readonly scopeName: string
  readonly serviceName: string | null
  /** JSON texts, as they are stored. */
  readonly resourceText: string
  readonly scopeText: string
}

/** Reads a group, without its records. Credentials are redacted. */
export function eventGroup({ resource, scope }: Pick<LogGroup, 'resource' | 'scope'>, redact: Redact): EventGroup {
  const tree = redactedTree(resource, redact)
  const members = { name: scope.name, version: scope.version, attributes: redactedTree(scope, redact) }
  return {
    resource: tree,
    scopeName: scope.name,
    serviceName: textIn(tree, 'service.name') ?? null,
    resourceText: JSON.stringify(tree),
    scopeText: JSON.stringify(members),
  }
}

function redactedTree({ attributes }: SpanResource, redact: Redact): Record<string, unknown> {
  const tree = attributeTree(attributes)
  redact(tree)
  return tree
}

/** Reads a record. Credentials are redacted. */
export function logEvent(record: LogRecord, group: EventGroup, redact: Redact): LogEvent {
  const attributes = attributeTree(record.attributes)
  redact(attributes)
  // In a list, because the body itself may be a text.
  const body = [record.body]
  redact(body)
  const time = record.time ?? record.observedTime
  return {
    time: time?.micros,
    observedAt: record.observedTime?.micros ?? null,
    traceId: idOf(record.traceId, 32),
    spanId: idOf(record.spanId, 16),
    name: eventName(record, attributes, body[0]),
    threadId: threadOf(attributes) ?? threadOf(group.resource) ?? null,
    severityNumber: record.severityNumber === 0 ? null : record.severityNumber,
    severityText: record.severityText || null,
    body: body[0] ?? null,
    attributes,
    group,
  }
}

/** A record with a malformed id is kept without it. */
const idOf = (id: string, digits: number): string | null => (id.length === digits && !/^0*$/.test(id) ? id : null)

/**
 * The attribute `event.name` comes first: bridges of logging libraries put the place in the source
 * into the event name. Claude Code sends `event.name` without the prefix that its body has.
 */
function eventName({ eventName: sent }: LogRecord, attributes: Tree, body: unknown): string | null {
  const name = textIn(attributes, 'event.name')
  if (name === undefined) return sent || null
  return typeof body === 'string' && body.endsWith(`.${name}`) && !body.includes(' ') ? body : name
}

const threadNames = ['gen_ai.conversation.id', 'session.id', 'conversation.id']

function threadOf(tree: Tree): string | undefined {
  for (const name of threadNames) {
    const found = textIn(tree, name)
    if (found !== undefined) return found
  }
  return undefined
}

/** The value of an attribute; undefined if it is missing or null. */
export const valueIn = (tree: Tree, name: string): unknown => findInTree(tree, name.split('.')) ?? undefined

/** A text that is not empty. */
export function textIn(tree: Tree, name: string): string | undefined {
  const value = valueIn(tree, name)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A finite number, also as text. */
export function numberIn(tree: Tree, name: string): number | undefined {
  const value = valueIn(tree, name)
  const given = isRawNumber(value) ? value.rawJSON : value
  const number = typeof given === 'string' && given.trim() !== '' ? Number(given) : given
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** Whether a flag is set, also as text. */
export const isSet = (tree: Tree, name: string): boolean => [true, 'true'].includes(valueIn(tree, name) as never)

/** A text that a person or a model wrote, which may look like JSON and was parsed then. */
export function proseIn(tree: Tree, name: string): string | undefined {
  const value = valueIn(tree, name)
  if (typeof value === 'string') return value
  // `prompt` beside `prompt.id` is a group, not a value.
  return Array.isArray(value) || (isJsonObject(value) && Object.getPrototypeOf(value) !== null)
    ? JSON.stringify(value)
    : undefined
}
