import {
  mergedMessages,
  protobufAttribute,
  protobufFields,
  protobufInteger,
  protobufMessage,
} from '../../formats/wire/protobuf-message.ts'
import { itemAt } from '../../lib/present.ts'
import type { ProtobufRecord, Signal } from '../record.ts'
import { encodedAs, type Lane, mayBeOneRecord, type Outcome, type Prepare, runsOf } from './lane.ts'
import { RefusedRequest, type ServerClient } from './server-client.ts'

/** Names of one signal in OTLP's JSON encoding, and the path that accepts it. */
export const signals = {
  traces: { path: '/otel/v1/traces', resources: 'resourceSpans', scopes: 'scopeSpans', items: 'spans' },
  logs: { path: '/otel/v1/logs', resources: 'resourceLogs', scopes: 'scopeLogs', items: 'logRecords' },
  metrics: { path: '/otel/v1/metrics', resources: 'resourceMetrics', scopes: 'scopeMetrics', items: 'metrics' },
} as const

/** Name of a signal's records in counts. */
export const whatOf = (signal: Signal): string =>
  signal === 'traces' ? 'spans' : signal === 'logs' ? 'log records' : signal

/** Resource attributes that choose the project of spans. */
export const projectAttributes = new Set(['ext.entity', 'ext.project', 'wandb.entity', 'wandb.project'])

/** Posts an export. The response to a partial success says how many records were rejected. */
export async function exportTo(
  client: ServerClient,
  path: string,
  body: string | Uint8Array,
  type: string,
): Promise<Outcome> {
  const headers = { 'content-type': type, accept: 'application/json', project_id: client.project }
  const { status, text, bytes } = await client.send(path, body, headers)
  if (status >= 400) {
    if (mayBeOneRecord(status)) return { refused: `${status} ${printable(text)}` }
    throw new RefusedRequest(path, status, printable(text))
  }
  const rejected = type === 'application/json' ? rejectionInJson(text) : rejectionInProtobuf(bytes)
  return rejected === undefined ? {} : { rejected }
}

function rejectionInJson(text: string): Outcome['rejected'] {
  const { partialSuccess: partial = {} }: { partialSuccess?: Record<string, unknown> } = JSON.parse(text || '{}')
  const count = Number(Object.entries(partial).find(([name]) => name.startsWith('rejected'))?.[1] ?? 0)
  return count > 0 ? { count, reason: String(partial['errorMessage'] ?? '') } : undefined
}

const printable = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\ufffd]+/gu, ' ')
    .trim()
    .slice(0, 500)

/** The partial success of a response in protobuf. */
function rejectionInProtobuf(response: Uint8Array): Outcome['rejected'] {
  for (const { bytes: partial } of protobufFields(response)) {
    const count = protobufInteger(partial, 1)
    const message = [...protobufFields(partial)].find(({ number }) => number === 2)?.bytes
    if (count > 0) return { count, reason: new TextDecoder().decode(message) }
  }
  return undefined
}

/** Field numbers of OTLP, which are the same for all signals. */
const resourceGroups = 1
const resourceOfGroup = 1
const scopesOfGroup = 2
const scopeOfItems = 1
const itemsOfScope = 2
const spanIdField = 2
const attributesOfResource = 1

/** Spans, log records and metrics in protobuf, passed on byte for byte. */
export const prepareProtobuf: Prepare<'protobuf'> = (record, { project }) => {
  const resource = withProject(record.resource, project)
  const bytes = record.item.byteLength + resource.byteLength / 16
  const id = record.signal === 'traces' ? spanIdOf(record.item) : undefined
  const encoded = { ...record, resource }
  return { lane: protobufLane, what: whatOf(record.signal), group: record.signal, bytes, encoded, id }
}

function spanIdOf(span: Uint8Array): string | undefined {
  for (const { number, bytes } of protobufFields(span)) if (number === spanIdField) return bytes.toHex()
  return undefined
}

/** A resource that names a project of its own gets the user's choice: the last one counts. */
function withProject(resource: Uint8Array, projectId: string): Uint8Array {
  const names = [...protobufFields(resource)]
    .filter(({ number }) => number === attributesOfResource)
    .map(({ bytes }) => new TextDecoder().decode(protobufFields(bytes).next().value?.bytes))
  if (!names.some((name) => projectAttributes.has(name))) return resource
  const [entity = '', project = ''] = projectId.split('/')
  const chosen = [protobufAttribute('ext.entity', entity), protobufAttribute('ext.project', project)]
  return mergedMessages(resource, protobufMessage(chosen.map((attribute) => [attributesOfResource, attribute])))
}

const protobufLane: Lane = {
  send: (client, records) => {
    const items = encodedAs('protobuf', records)
    return exportTo(client, signals[itemAt(items, 0).signal].path, protobufBody(items), 'application/x-protobuf')
  },
}

/** One export; neighbours that were read from the same message share its resource and scope. */
function protobufBody(items: readonly ProtobufRecord[]): Uint8Array {
  const groups: [number, Uint8Array][] = []
  for (const { resource, scope, items: inScope } of runsOf(items, (one, other) => one.scope === other.scope)) {
    const members: [number, Uint8Array][] = [[scopeOfItems, scope]]
    for (const item of inScope) members.push([itemsOfScope, item])
    const group = protobufMessage([
      [resourceOfGroup, resource],
      [scopesOfGroup, protobufMessage(members)],
    ])
    groups.push([resourceGroups, group])
  }
  return protobufMessage(groups)
}
