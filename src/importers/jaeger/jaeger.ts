import { isJsonObject } from '../../lib/json-value.ts'
import { listInputFiles } from '../../runtime/platform/files/input-files.ts'
import { readJsonFile } from '../input/json-file.ts'
import { tooLongLine } from '../input/lines.ts'
import { otlpAttributes, otlpNanos, otlpValue } from '../otlp-attributes.ts'
import type { ImportRecord, OtlpJson } from '../record.ts'
import { type Origin, originAttributes, type Source } from '../source.ts'

type Members = Readonly<Record<string, unknown>>

/** A process of a trace: a service with its tags. */
function resourceOf(process: unknown): OtlpJson {
  const { serviceName, tags } = isJsonObject(process) ? process : {}
  return { attributes: [...otlpAttributes({ 'service.name': String(serviceName ?? '') }), ...tagAttributes(tags)] }
}

/** Names of kinds in the tag `span.kind`, at the position of their number in OTLP. */
const kinds = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer']

/**
 * A span of Jaeger as the span of OpenTelemetry that it was, or could have been
 * (https://opentelemetry.io/docs/specs/otel/trace/sdk_exporters/jaeger/).
 */
function jaegerSpan(span: Members, resource: OtlpJson | undefined, origin: Origin): ImportRecord {
  const tags = tagsOf(span['tags'])
  const value = (key: string) => tags.find((tag) => tag.key === key)?.value
  const references = Array.isArray(span['references']) ? span['references'].filter(isJsonObject) : []
  const parent = references.find(({ refType, traceID }) => refType === 'CHILD_OF' && traceID === span['traceID'])
  const links = references.filter((reference) => reference !== parent)
  const start = Number(span['startTime'] ?? 0)
  const scope = value('otel.scope.name') ?? value('otel.library.name')
  const scopeVersion = value('otel.scope.version') ?? value('otel.library.version')
  const isError = value('otel.status_code') === 'ERROR' || String(value('error')) === 'true'
  const logs = Array.isArray(span['logs']) ? span['logs'].filter(isJsonObject) : []
  return {
    kind: 'telemetry',
    signal: 'traces',
    resource: resource ?? {},
    scope: {
      ...(scope !== undefined && { name: String(scope) }),
      ...(scopeVersion !== undefined && { version: String(scopeVersion) }),
    },
    item: {
      traceId: padded(span['traceID'], 32),
      spanId: padded(span['spanID'], 16),
      ...(parent !== undefined && { parentSpanId: padded(parent['spanID'], 16) }),
      name: String(span['operationName'] ?? ''),
      kind: Math.max(0, kinds.indexOf(String(value('span.kind') ?? 'internal').toLowerCase())),
      startTimeUnixNano: otlpNanos(start),
      endTimeUnixNano: otlpNanos(start + Number(span['duration'] ?? 0)),
      attributes: [...tagAttributes(span['tags']), ...originAttributes(origin)],
      events: logs.map(spanEvent),
      links: links.map((link) => ({ traceId: padded(link['traceID'], 32), spanId: padded(link['spanID'], 16) })),
      status: { code: isError ? 2 : 0, message: String(value('otel.status_description') ?? '') },
    },
  }
}

/** An event is a log with the field `event`; OpenTracing wrote its text there or to `message`. */
function spanEvent(log: Members): OtlpJson {
  const fields = tagsOf(log['fields'])
  const name = fields.find(({ key }) => key === 'event') ?? fields.find(({ key }) => key === 'message')
  return {
    name: String(name?.value ?? 'log'),
    timeUnixNano: otlpNanos(Number(log['timestamp'] ?? 0)),
    attributes: fields.filter((field) => field !== name).map(({ key, value }) => ({ key, value: otlpValue(value) })),
  }
}

/** Tags that have a place of their own in a span. */
const ownPlace = new Set(['otel.status_code', 'otel.status_description', 'span.kind', 'internal.span.format'])

const tagAttributes = (tags: unknown): OtlpJson[] =>
  tagsOf(tags)
    .filter(({ key }) => !ownPlace.has(key))
    .map(({ key, value }) => ({ key, value: otlpValue(value) }))

const tagsOf = (tags: unknown): { readonly key: string; readonly value: unknown }[] =>
  (Array.isArray(tags) ? tags : [])
    .filter(isJsonObject)
    .map(({ key, value }) => ({ key: String(key), value: value ?? null }))

/** Ids of older clients have half the digits, or no leading zeros. */
const padded = (id: unknown, digits: number): string =>
  String(id ?? '')
    .toLowerCase()
    .padStart(digits, '0')

/** Traces as Jaeger's UI downloads them and its API returns them. */
export const jaeger: Source = {
  name: 'jaeger',
  summary: 'traces that were downloaded from Jaeger as JSON; also with gzip or zstd',
  async *parts({ place, select }) {
    for await (const file of listInputFiles(place, (name) => /\.jsonl?(?:\.(?:gz|zst))?$/.test(name))) {
      if (select !== undefined && !file.name.includes(select)) continue
      const origin = { source: 'jaeger', version: 'json', file: file.name }
      yield {
        name: file.name,
        version: `${file.bytes}-${file.modifiedMs}`,
        records: () => recordsOf(file.path, origin),
      }
    }
  },
}

async function* recordsOf(path: string, origin: Origin): AsyncGenerator<ImportRecord> {
  let unreadable = 0
  const options = { lists: ['data'], onUnreadable: () => unreadable++ }
  for await (const { member, value } of readJsonFile(path, options)) {
    // Beside the traces, a document has their number and a list of errors.
    if (member !== undefined && member !== 'data') continue
    if (isJsonObject(value) && Array.isArray(value['spans'])) yield* traceRecords(value, value['spans'], origin)
    else yield { kind: 'loss', what: 'values that are not Jaeger traces' }
  }
  if (unreadable > 0) yield { kind: 'loss', what: `${tooLongLine}, or not JSON`, count: unreadable }
}

function* traceRecords(
  trace: Record<string, unknown>,
  spans: readonly unknown[],
  origin: Origin,
): Generator<ImportRecord> {
  const processes = isJsonObject(trace['processes']) ? trace['processes'] : {}
  const resources = new Map(Object.entries(processes).map(([id, process]) => [id, resourceOf(process)]))
  for (const span of spans) {
    if (isJsonObject(span)) yield jaegerSpan(span, resources.get(String(span['processID'])), origin)
  }
}
