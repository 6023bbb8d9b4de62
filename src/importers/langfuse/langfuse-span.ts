import { isJsonObject, isRawNumber } from '../../lib/json-value.ts'
import { parseTime } from '../../lib/time.ts'
import { sha256Hex } from '../../runtime/platform/crypto.ts'
import { flattenAttributes, otlpAttributes, otlpNanos } from '../otlp-attributes.ts'
import type { ImportRecord } from '../record.ts'
import { type Origin, originAttributes } from '../source.ts'

/** A record of Langfuse under the names of its API. */
export type Row = Readonly<Record<string, unknown>>

/** Exports in columns use snake case, the API camel case. */
export function normalRow(row: Record<string, unknown>): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [camel(name), value === '' ? null : value]))
}

const camel = (name: string): string => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** A value that an export may contain as JSON text. */
export function jsonOf(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{"]/.test(value)) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

/** The members of an object, or of its JSON text. */
export function membersOf(value: unknown): Record<string, unknown> {
  const parsed = jsonOf(value)
  return isJsonObject(parsed) ? parsed : {}
}

/** A number, or a text of one. */
function numberOf(value: unknown): number | undefined {
  const number =
    typeof value === 'string' || isRawNumber(value) ? Number(isRawNumber(value) ? value.rawJSON : value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** The id of a span: Langfuse's own if it has the form of one, else derived from it. */
export const spanId = (id: string): string =>
  /^[0-9a-f]{16}$/.test(id) ? id : sha256Hex(`langfuse ${id}`).slice(0, 16)
/** The same for a trace. */
export const traceId = (id: string): string =>
  /^[0-9a-f]{32}$/.test(id) ? id : sha256Hex(`langfuse ${id}`).slice(0, 32)

/**
 * An observation as the span that it was, or could have been: the attributes that Langfuse
 * received, and its own members under the names of its SDKs.
 */
export function observationSpan(row: Row, trace: Row | undefined, origin: Origin): ImportRecord {
  const id = String(row['id'])
  const parent = textOf(row['parentObservationId'])
  const { attributes, resource, scope, others } = dividedMetadata(row['metadata'])
  const isError = row['level'] === 'ERROR'
  const isRoot = parent === undefined
  const end = row['endTime'] ?? (row['type'] === 'EVENT' ? row['startTime'] : undefined)
  return {
    kind: 'telemetry',
    signal: 'traces',
    resource: { attributes: otlpAttributes(resource) },
    scope: {
      name: textOf(scope['name']) ?? 'langfuse',
      ...(textOf(scope['version']) && { version: scope['version'] }),
    },
    item: {
      traceId: traceId(String(row['traceId'] ?? trace?.['id'])),
      spanId: spanId(id),
      ...(parent !== undefined && { parentSpanId: spanId(parent) }),
      name: textOf(row['name']) ?? String(row['type'] ?? 'observation').toLowerCase(),
      startTimeUnixNano: nanos(row['startTime'] ?? row['timestamp']),
      ...(end !== undefined && end !== null && { endTimeUnixNano: nanos(end) }),
      attributes: [
        ...otlpAttributes(attributes),
        ...otlpAttributes(
          withoutNull({ ...observationAttributes(row, id), ...traceAttributes({ ...trace, ...shared(row) }, isRoot) }),
        ),
        ...otlpAttributes(prefixed('langfuse.observation.metadata.', flattenAttributes(others))),
        ...originAttributes(origin),
      ],
      status: { code: isError ? 2 : 0, message: textOf(row['statusMessage']) ?? '' },
    },
  }
}

/** A trace that has no observations in the source. */
export const traceSpan = (trace: Row, origin: Origin): ImportRecord => {
  const row = {
    ...trace,
    traceId: trace['id'],
    startTime: trace['timestamp'],
    endTime: trace['timestamp'],
    type: 'SPAN',
  }
  return observationSpan(row, trace, origin)
}

/** Members of a trace that exports of observations repeat in every row. */
function shared(row: Row): Row {
  const names = ['userId', 'sessionId', 'tags', 'traceName', 'environment', 'release']
  return withoutNull(Object.fromEntries(names.map((name) => [name === 'traceName' ? 'name' : name, row[name]])))
}

function observationAttributes(row: Row, id: string): Record<string, unknown> {
  return {
    'langfuse.observation.type': textOf(row['type'])?.toLowerCase(),
    // Usually equal to the id of the span.
    'langfuse.observation.id': spanId(id) === id ? null : id,
    'langfuse.observation.input': payload(row['input']),
    'langfuse.observation.output': payload(row['output']),
    'langfuse.observation.level': textOf(row['level']),
    'langfuse.observation.model.name': textOf(row['providedModelName']) ?? textOf(row['model']),
    'langfuse.observation.model.parameters': nonEmpty(membersOf(row['modelParameters'])),
    'langfuse.observation.completion_start_time': textOf(row['completionStartTime']),
    'langfuse.observation.prompt.name': textOf(row['promptName']),
    'langfuse.observation.prompt.version': row['promptVersion'],
    'langfuse.version': textOf(row['version']),
    ...usageAttributes(membersOf(row['usageDetails'])),
    ...prefixed('langfuse.observation.cost_details.', numbers(membersOf(row['costDetails']))),
  }
}

function traceAttributes(trace: Row, isRoot: boolean): Record<string, unknown> {
  const session = { 'langfuse.session.id': textOf(trace['sessionId']) }
  if (!isRoot) return session
  const tags = jsonOf(trace['tags'])
  return {
    ...session,
    'langfuse.trace.name': textOf(trace['name']),
    'langfuse.trace.tags': Array.isArray(tags) && tags.length > 0 ? tags : null,
    'user.id': textOf(trace['userId']),
    'langfuse.environment': textOf(trace['environment']),
    'langfuse.release': textOf(trace['release']),
  }
}

/** Input tokens of Langfuse do not include cached ones, which its total shows. */
function usageAttributes(details: Record<string, unknown>): Record<string, unknown> {
  const usage = numbers(details)
  const counted = ['input', 'output', 'input_cached_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens']
  const total = counted.reduce((sum, name) => sum + (usage[name] ?? 0), 0)
  return prefixed('langfuse.observation.usage_details.', { ...usage, ...(total > 0 && { total }) })
}

const numbers = (members: Record<string, unknown>): Record<string, number> =>
  Object.fromEntries(Object.entries(members).flatMap(([name, value]) => numberEntry(name, value)))

const numberEntry = (name: string, value: unknown): [string, number][] => {
  const number = numberOf(value)
  return number === undefined ? [] : [[name, number]]
}

interface Metadata {
  readonly attributes: Record<string, unknown>
  readonly resource: Record<string, unknown>
  readonly scope: Record<string, unknown>
  readonly others: Record<string, unknown>
}

/** Metadata with the parts of a span that Langfuse keeps in it, nested or under dotted names. */
function dividedMetadata(metadata: unknown): Metadata {
  const parts: Metadata = { attributes: {}, resource: {}, scope: {}, others: {} }
  for (const [name, value] of Object.entries(membersOf(metadata))) {
    const [head = '', ...tail] = name.split('.')
    const part = head === 'attributes' ? parts.attributes : head === 'resourceAttributes' ? parts.resource : undefined
    const target = head === 'scope' ? parts.scope : part
    if (target === undefined) parts.others[name] = value
    else if (tail.length > 0) target[tail.join('.')] = value
    else Object.assign(target, membersOf(value))
  }
  return parts
}

/** Payloads are attributes, so they are texts; JSON stays JSON. */
function payload(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const nonEmpty = (members: Record<string, unknown>): string | null =>
  Object.keys(members).length === 0 ? null : JSON.stringify(members)

const prefixed = (prefix: string, members: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [prefix + name, value]))

const withoutNull = (members: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== undefined))

/** Exports write times in UTC without saying so. */
function nanos(time: unknown): string {
  const iso = String(time ?? '').replace(' ', 'T')
  return otlpNanos(parseTime(/(?:Z|[+-]\d\d:?\d\d)$/.test(iso) ? iso : `${iso}Z`) ?? 0)
}
