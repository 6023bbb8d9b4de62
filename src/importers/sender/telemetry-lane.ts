import { isJsonObject } from '../../lib/json-value.ts'
import { utf8Bytes } from '../../runtime/platform/crypto.ts'
import type { OtlpJson, Signal } from '../record.ts'
import type { Lane, Prepare, Prepared } from './lane.ts'
import { exportTo, projectAttributes, signals, whatOf } from './otlp-export.ts'

interface EncodedItem {
  readonly signal: Signal
  readonly resource: string
  readonly scope: string
  readonly item: string
}

/** Spans, log records and metrics in JSON, to the server's OTLP endpoints. */
export const prepareTelemetry: Prepare<'telemetry'> = ({ signal, resource, scope, item }, { project }) => {
  const encoded: EncodedItem = {
    signal,
    resource: JSON.stringify(withProject(resource, project)),
    scope: JSON.stringify(scope),
    item: JSON.stringify(item),
  }
  const id = signal === 'traces' ? String(item['spanId'] ?? '').toLowerCase() : undefined
  const bytes = utf8Bytes(encoded.item) + utf8Bytes(encoded.resource) / 16
  return { lane: jsonLane, what: whatOf(signal), group: signal, bytes, encoded, id: id || undefined }
}

/** A resource that names a project of its own gets the user's choice instead. */
function withProject(resource: OtlpJson, project: string): OtlpJson {
  const attributes = Array.isArray(resource['attributes']) ? (resource['attributes'] as unknown[]) : []
  const others = attributes.filter((entry) => !isJsonObject(entry) || !projectAttributes.has(String(entry['key'])))
  return others.length === attributes.length
    ? resource
    : { ...resource, attributes: [...others, ...inProject(project)] }
}

const inProject = (projectId: string) => {
  const [entity = '', project = ''] = projectId.split('/')
  return [
    { key: 'ext.entity', value: { stringValue: entity } },
    { key: 'ext.project', value: { stringValue: project } },
  ]
}

const jsonLane: Lane = {
  send: (client, records) => {
    const { path } = signals[(records[0]!.encoded as EncodedItem).signal]
    return exportTo(client, path, jsonBody(records), 'application/json')
  },
}

/** One export; neighbours with equal resource and scope share them. */
function jsonBody(records: readonly Prepared[]): string {
  const items = records.map(({ encoded }) => encoded as EncodedItem)
  const { resources, scopes, items: list } = signals[items[0]!.signal]
  const groups: string[] = []
  for (let at = 0; at < items.length; ) {
    const { resource, scope } = items[at]!
    const members: string[] = []
    for (; items[at]?.resource === resource && items[at]?.scope === scope; at++) members.push(items[at]!.item)
    groups.push(`{"resource":${resource},"${scopes}":[{"scope":${scope},"${list}":[${members.join(',')}]}]}`)
  }
  return `{"${resources}":[${groups.join(',')}]}`
}
