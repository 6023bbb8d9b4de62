import type { LogGroup, LogRecord } from '../../wire/otlp/decode-logs.ts'
import type { SpanResource } from '../../wire/otlp/span.ts'
import { attributeTree } from '../spans/attribute-tree.ts'
import { threadNameOf } from '../spans/span-attributes.ts'
import type { Redact } from '../spans/span-dump.ts'
import { textIn } from './attribute-values.ts'

type Tree = Readonly<Record<string, unknown>>

/** A log record as it is stored, with what it has in common with other records resolved. */
export interface LogEvent {
  /** Time of the event, else of its observation; microseconds, undefined if neither was sent. */
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

/** Values shared by the records of one library in one resource. */
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
    if (found !== undefined) return threadNameOf(found)
  }
  return undefined
}
