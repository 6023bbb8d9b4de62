import {
  mergedMessages,
  protobufAttribute,
  protobufFields,
  protobufMessage,
} from '../../formats/wire/protobuf-message.ts'
import type { ProtobufRecord } from '../record.ts'
import type { Lane, Prepare, Prepared } from './lane.ts'
import { exportTo, projectAttributes, signals, whatOf } from './otlp-export.ts'

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
    const { signal } = records[0]!.encoded as ProtobufRecord
    return exportTo(client, signals[signal].path, protobufBody(records), 'application/x-protobuf')
  },
}

/** One export; neighbours that were read from the same message share its resource and scope. */
function protobufBody(records: readonly Prepared[]): Uint8Array {
  const items = records.map(({ encoded }) => encoded as ProtobufRecord)
  const groups: [number, Uint8Array][] = []
  for (let at = 0; at < items.length; ) {
    const { resource, scope } = items[at]!
    const members: [number, Uint8Array][] = [[scopeOfItems, scope]]
    for (; items[at]?.scope === scope; at++) members.push([itemsOfScope, items[at]!.item])
    const group = protobufMessage([
      [resourceOfGroup, resource],
      [scopesOfGroup, protobufMessage(members)],
    ])
    groups.push([resourceGroups, group])
  }
  return protobufMessage(groups)
}
